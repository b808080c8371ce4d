import { retirePrice } from '../../../domain/billing/price/retire-price.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { Price } from '../types/price.ts';

builder.mutationFields((t) => ({
  retirePrice: t.field({
    type: Price,
    args: {
      priceId: t.arg.id({ required: true, description: 'Id of a price that is not the current one.' }),
    },
    description:
      'Retires a price: no new checkout gets it. Subscriptions that have it keep it. Errors: `authentication_error`; `not_found` or `invalid_request`, param `priceId`.',
    resolve: (_root, { priceId }, context) => retirePrice(context.app, actingScopeOf(context), priceId),
  }),
}));
