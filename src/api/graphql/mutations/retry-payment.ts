import { retryPayment } from '../../../domain/billing/collect/retry-payment.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { BillingSubscription, subscriptionArgs } from '../types/subscription.ts';

builder.mutationFields((t) => ({
  retryPayment: t.field({
    type: BillingSubscription,
    args: subscriptionArgs,
    description:
      'Makes the open payment of a subscription due now instead of at the next retry. A worker then attempts it, and `subscriptionUpdated` reports the outcome. A failure counts like any other. Errors: `authentication_error`; `not_found`, param `subscription`; `invalid_request`, param `subscription`, if no payment is open or an attempt is in progress.',
    resolve: (_root, { subscription }, context) =>
      retryPayment(context.app, actingScopeOf(context), subscription),
  }),
}));
