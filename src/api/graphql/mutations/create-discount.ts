import { createDiscount, MAX_DISCOUNTS } from '../../../domain/billing/discount/create-discount.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { withoutNulls } from '../arguments/without-nulls.ts';
import { builder } from '../builder.ts';
import { Discount } from '../types/discount.ts';

const CreateDiscountInput = builder.inputType('CreateDiscountInput', {
  description: 'A discount: either a part of the price, or a fixed amount.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: 'Name that customers read, in one line of 1 to 200 characters.',
    }),
    code: t.string({
      description:
        'Code that customers enter in any case: 3 to 40 characters of A to Z, digits, `-` and `_`. Without it only you give the discount.',
    }),
    percentBps: t.int({
      description:
        'Part of the price in hundredths of a percent, from 1 to 10000. It is rounded for the customer.',
    }),
    amount: t.field({ type: 'TokenAmount', description: 'Fixed amount in base units of `mint`.' }),
    mint: t.string({ description: 'Mint of the fixed amount, in base58.' }),
    periods: t.int({
      description: 'Number of payments that the discount reduces, from 1 to 1000; default: all.',
    }),
    planIds: t.stringList({ description: 'Your ids of at most 20 plans for which it is; default: all.' }),
    maxRedemptions: t.int({ description: 'Maximum redemptions; default: no maximum.' }),
    maxPerCustomer: t.int({
      description:
        'Maximum redemptions of one customer, who is recognised by wallet, email and `customerId`; default: no maximum.',
    }),
    firstPurchaseOnly: t.boolean({
      description: 'Whether only customers without an earlier subscription get the discount; default no.',
    }),
    startsAt: t.field({ type: 'DateTime', description: 'From when customers get it; default: at once.' }),
    endsAt: t.field({ type: 'DateTime', description: 'Until when customers get it; default: no end.' }),
  }),
});

builder.mutationFields((t) => ({
  createDiscount: t.field({
    type: Discount,
    args: { input: t.arg({ type: CreateDiscountInput, required: true, description: 'The discount.' }) },
    description: `Creates a discount. An environment has at most ${MAX_DISCOUNTS} discounts. Errors: \`authentication_error\`; \`invalid_request\` with the field of the input as param, or param \`name\` if there are already ${MAX_DISCOUNTS}.`,
    resolve: (_root, { input }, context) =>
      createDiscount(context.app, actingScopeOf(context), withoutNulls(input)),
  }),
}));
