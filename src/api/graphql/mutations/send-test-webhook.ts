import { sendTestEvent } from '../../../domain/messages/webhook/send-test-event.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { withoutNulls } from '../arguments/without-nulls.ts';
import { builder } from '../builder.ts';
import { WebhookDelivery } from '../types/webhook-delivery.ts';

builder.mutationFields((t) => ({
  sendTestWebhook: t.field({
    type: WebhookDelivery,
    args: {
      endpointId: t.arg.id({
        required: true,
        description: 'Id of the endpoint. It receives the event even if its `eventTypes` exclude the type.',
      }),
      type: t.arg.string({
        description:
          'Event type; default `endpoint.test`. In TEST any type about a subscription is possible too.',
      }),
    },
    description:
      'Sends a sample event to one endpoint. Errors: `authentication_error`; `not_found`, param `endpointId`; `invalid_request`, param `endpointId` (the endpoint is disabled) or `type`.',
    resolve: (_root, args, context) => sendTestEvent(context.app, actingScopeOf(context), withoutNulls(args)),
  }),
}));
