import { resendDelivery } from '../../../domain/messages/webhook/resend-delivery.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { WebhookDelivery } from '../types/webhook-delivery.ts';

builder.mutationFields((t) => ({
  resendWebhook: t.field({
    type: WebhookDelivery,
    requires: ['READ', 'WRITE'],
    args: { deliveryId: t.arg.id({ required: true, description: 'Id of the delivery.' }) },
    description:
      'Sends a delivery again now: the same event with the same id. A delivery that has ended starts a new schedule of attempts, after any earlier events of its subscription that are being resent. A pending delivery makes its next attempt now. Errors: `authentication_error`; `not_found`, param `deliveryId`; `invalid_request`, param `deliveryId`, if the delivery is being sent or waits for an earlier one, or the endpoint is disabled.',
    resolve: (_root, { deliveryId }, context) =>
      resendDelivery(context.app, actingScopeOf(context), deliveryId),
  }),
}));
