import { endSecretOverlap } from '../../../domain/webhook/end-secret-overlap.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { WebhookEndpointRef } from '../types/webhook-endpoint.ts';

builder.mutationFields((t) => ({
  endWebhookSecretOverlap: t.field({
    type: WebhookEndpointRef,
    args: { id: t.arg.id({ required: true, description: 'Id of the endpoint.' }) },
    description:
      'Ends the 24 hours after `rotateWebhookSecret` now: webhooks are signed with the new secret only, and the previous one is deleted. A repeated call changes nothing. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: (_root, { id }, context) => endSecretOverlap(context.app, actingScopeOf(context), id),
  }),
}));
