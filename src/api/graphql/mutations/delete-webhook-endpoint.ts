import { deleteEndpoint } from '../../../domain/messages/webhook/delete-endpoint.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { WebhookEndpointRef } from '../types/webhook-endpoint.ts';

builder.mutationFields((t) => ({
  deleteWebhookEndpoint: t.field({
    type: WebhookEndpointRef,
    args: { id: t.arg.id({ required: true, description: 'Id of the endpoint.' }) },
    description:
      'Deletes a webhook endpoint and cancels its pending deliveries. Its deliveries can still be read. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: (_root, { id }, context) => deleteEndpoint(context.app, actingScopeOf(context), id),
  }),
}));
