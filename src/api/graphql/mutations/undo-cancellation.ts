import { undoCancellation } from '../../../domain/billing/lifecycle/undo-cancellation.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { BillingSubscription, subscriptionArgs } from '../types/subscription.ts';

builder.mutationFields((t) => ({
  undoCancellation: t.field({
    type: BillingSubscription,
    requires: ['READ', 'WRITE'],
    args: subscriptionArgs,
    description:
      'Undoes a cancellation with PERIOD_END before it takes effect. A subscription that is not cancelled stays unchanged. Errors: `authentication_error`; `not_found`, param `subscription`; `invalid_request`, param `subscription`, if the subscription has ended or the customer made the cancellation.',
    resolve: (_root, { subscription }, context) =>
      undoCancellation(context.app, actingScopeOf(context), subscription),
  }),
}));
