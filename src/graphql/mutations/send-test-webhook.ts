import { sendTestEvent } from '../../domain/webhook/send-test-event.ts';
import { actingScopeOf } from '../acting.ts';
import { builder } from '../builder.ts';
import { given } from '../given.ts';
import { WebhookDelivery } from '../types/webhook-delivery.ts';

builder.mutationFields((t) => ({
  sendTestWebhook: t.field({
    type: WebhookDelivery,
    args: {
      endpointId: t.arg.id({
        required: true,
        description: 'Where it is to go, whatever events that wants.',
      }),
      type: t.arg.string({
        description: 'Default `endpoint.test`; in TEST also a sample of any event about a subscription.',
      }),
    },
    description:
      'Sends a made-up event to one endpoint. Errors: `authentication_error`; `not_found`, param `endpointId`; `invalid_request`, param `endpointId` (it is off) or `type`.',
    resolve: (_root, args, context) => sendTestEvent(context.app, actingScopeOf(context), given(args)),
  }),
}));
