import { applyDiscount, removeDiscount } from '../../../domain/billing/discount/apply-discount.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { BillingSubscription, subscriptionArgs } from '../types/subscription.ts';

builder.mutationFields((t) => ({
  applyDiscount: t.field({
    type: BillingSubscription,
    args: {
      ...subscriptionArgs,
      discountId: t.arg.id({ required: true, description: 'Id of the discount.' }),
    },
    description:
      'Gives a running subscription a discount, from its next payment whose amount is not fixed yet. It replaces an earlier discount. Limits per customer do not apply. A repeated call changes nothing while the discount applies. Errors: `authentication_error`; `not_found` or `invalid_request`, param `subscription` or `discountId`.',
    resolve: (_root, input, context) => applyDiscount(context.app, actingScopeOf(context), input),
  }),
  removeDiscount: t.field({
    type: BillingSubscription,
    args: subscriptionArgs,
    description:
      'Takes the discount away from a subscription. Payments whose amounts are fixed keep them. A call without a discount changes nothing. Errors: `authentication_error`; `not_found`, param `subscription`.',
    resolve: (_root, input, context) => removeDiscount(context.app, actingScopeOf(context), input),
  }),
}));
