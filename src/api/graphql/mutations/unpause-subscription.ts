import { unpauseSubscription } from '../../../domain/billing/waive/unpause-subscription.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { BillingSubscription, subscriptionArgs } from '../types/subscription.ts';

builder.mutationFields((t) => ({
  unpauseSubscription: t.field({
    type: BillingSubscription,
    args: {
      ...subscriptionArgs,
      chargeNow: t.arg.boolean({
        required: true,
        description:
          'Whether the full price of the running period is collected now, if the pause has waived it and there is time. Otherwise the pause ends at the next due date.',
      }),
    },
    description:
      'Ends a pause early. A pause that has not begun is taken back. Free periods stay. Errors: `authentication_error`; `not_found`, param `subscription`; `invalid_request`, param `subscription`, if it is not paused, has ended, or is cancelled at the end of its period.',
    resolve: (_root, input, context) => unpauseSubscription(context.app, actingScopeOf(context), input),
  }),
}));
