import { retryPayment } from '../../../domain/billing/collect/retry-payment.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { BillingSubscription, subscriptionArgs } from '../types/subscription.ts';

builder.mutationFields((t) => ({
  retryPayment: t.field({
    type: BillingSubscription,
    args: subscriptionArgs,
    description:
      'Tries the open payment of a subscription now instead of at its next retry; `subscriptionUpdated` tells the outcome. A failure counts like any other. Errors: `authentication_error`; `not_found`, or `invalid_request` if no payment is open or an attempt is under way, param `subscription`.',
    resolve: (_root, { subscription }, context) =>
      retryPayment(context.app, actingScopeOf(context), subscription),
  }),
}));
