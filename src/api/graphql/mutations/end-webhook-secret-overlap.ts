import { endSecretOverlap } from '../../../domain/messages/webhook/end-secret-overlap.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { withoutNulls } from '../arguments/without-nulls.ts';
import { builder } from '../builder.ts';
import { WebhookEndpointRef } from '../types/webhook-endpoint.ts';

builder.mutationFields((t) => ({
  endWebhookSecretOverlap: t.field({
    type: WebhookEndpointRef,
    args: {
      id: t.arg.id({ required: true, description: 'Id of the endpoint.' }),
      previousSecretUntil: t.arg({
        type: 'DateTime',
        description:
          'The `previousSecretUntil` of the endpoint that you know. It is refused if the secret was rotated again since, because your servers may use the secret in between. Without it, any previous secret is deleted.',
      }),
    },
    description:
      'Ends the 24 hours after `rotateWebhookSecret` now: webhooks are signed with the new secret only, and the previous one is deleted. A repeated call changes nothing. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request`, param `previousSecretUntil`.',
    resolve: (_root, args, context) =>
      endSecretOverlap(context.app, actingScopeOf(context), withoutNulls(args)),
  }),
}));
