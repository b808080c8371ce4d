import { undoCancellation } from '../../../domain/billing/lifecycle/undo-cancellation.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { BillingSubscription, subscriptionArgs } from '../types/subscription.ts';

builder.mutationFields((t) => ({
  undoCancellation: t.field({
    type: BillingSubscription,
    args: subscriptionArgs,
    description:
      'Takes back a cancellation with PERIOD_END before it takes effect. A subscription that is not cancelled stays as it is. Errors: `authentication_error`; `not_found`, or `invalid_request` if the subscription has ended, param `subscription`.',
    resolve: (_root, { subscription }, context) =>
      undoCancellation(context.app, actingScopeOf(context), subscription),
  }),
}));
