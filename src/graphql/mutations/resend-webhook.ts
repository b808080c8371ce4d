import { resendDelivery } from '../../domain/webhook/delivery/resend-delivery.ts';
import { actingScopeOf } from '../acting.ts';
import { builder } from '../builder.ts';
import { WebhookDelivery } from '../types/webhook-delivery.ts';

builder.mutationFields((t) => ({
  resendWebhook: t.field({
    type: WebhookDelivery,
    args: { deliveryId: t.arg.id({ required: true, description: 'Id of the delivery.' }) },
    description:
      'Sends a delivery again, now: the same event under the same id, with the whole schedule before it. One that waits for its next try has it now. Errors: `authentication_error`; `not_found` and `invalid_request` (it is just being sent, or waits for an earlier one, or its endpoint is off), param `deliveryId`.',
    resolve: (_root, { deliveryId }, context) =>
      resendDelivery(context.app, actingScopeOf(context), deliveryId),
  }),
}));
