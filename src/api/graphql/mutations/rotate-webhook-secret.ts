import { rotateSecret } from '../../../domain/messages/webhook/rotate-secret.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { NewWebhookEndpoint } from '../types/new-webhook-endpoint.ts';

builder.mutationFields((t) => ({
  rotateWebhookSecret: t.field({
    type: NewWebhookEndpoint,
    args: { id: t.arg.id({ required: true, description: 'Id of the endpoint.' }) },
    description:
      'Gives a webhook endpoint a new secret. For 24 hours webhooks are signed with both the new and the previous secret. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: (_root, { id }, context) => rotateSecret(context.app, actingScopeOf(context), id),
  }),
}));
