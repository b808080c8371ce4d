import { createPrice } from '../../../domain/billing/price/create-price.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { Price } from '../types/price.ts';

builder.mutationFields((t) => ({
  createPrice: t.field({
    type: Price,
    args: {
      planId: t.arg.string({ required: true, description: "The merchant's id of the plan." }),
      amount: t.arg({
        type: 'TokenAmount',
        required: true,
        description:
          "Price of one interval, in base units of the plan's mint: from 1 to the plan's `maxAmount`.",
      }),
    },
    description:
      'Creates the next price of a plan, which new subscriptions get. Existing subscriptions keep their price. Errors: `authentication_error`; `not_found`, param `planId`; `invalid_request`, param `amount`, or `planId` if it has 100 prices.',
    resolve: (_root, { planId, amount }, context) =>
      createPrice(context.app, actingScopeOf(context), planId, amount),
  }),
}));
