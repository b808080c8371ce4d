import { undoCancellation } from '../../../domain/billing/lifecycle/undo-cancellation.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { BillingSubscription } from '../types/subscription.ts';

builder.mutationFields((t) => ({
  undoCancellation: t.field({
    type: BillingSubscription,
    args: {
      subscription: t.arg.id({
        required: true,
        description: 'Address of the subscription account, or a `lifeId`.',
      }),
    },
    description:
      'Takes back a cancellation with PERIOD_END before it takes effect. A subscription that is not cancelled stays as it is. Errors: `authentication_error`; `not_found`, or `invalid_request` if the subscription has ended, param `subscription`.',
    resolve: (_root, { subscription }, context) =>
      undoCancellation(context.app, actingScopeOf(context), subscription),
  }),
}));
