import { resendDelivery } from '../../../domain/webhook/resend-delivery.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { WebhookDelivery } from '../types/webhook-delivery.ts';

builder.mutationFields((t) => ({
  resendWebhook: t.field({
    type: WebhookDelivery,
    args: { deliveryId: t.arg.id({ required: true, description: 'Id of the delivery.' }) },
    description:
      'Sends a delivery again now: the same event with the same id and a new schedule of attempts. If an attempt is pending, it happens now. Errors: `authentication_error`; `not_found` and `invalid_request` (it is being sent, waits for an earlier one, or its endpoint is disabled), param `deliveryId`.',
    resolve: (_root, { deliveryId }, context) =>
      resendDelivery(context.app, actingScopeOf(context), deliveryId),
  }),
}));
