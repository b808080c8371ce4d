import { updateDiscount } from '../../../domain/billing/discount/update-discount.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { Discount } from '../types/discount.ts';

const UpdateDiscountInput = builder.inputType('UpdateDiscountInput', {
  description: 'The fields to change; others stay unchanged.',
  fields: (t) => ({
    name: t.string({ description: 'Name that customers read, in one line of 1 to 200 characters.' }),
    isActive: t.boolean({ description: 'Whether customers get the discount.' }),
    endsAt: t.field({ type: 'DateTime', description: 'Until when customers get it; null for no end.' }),
    maxRedemptions: t.int({ description: 'Maximum redemptions; null for no maximum.' }),
    maxPerCustomer: t.int({ description: 'Maximum redemptions of one customer; null for no maximum.' }),
  }),
});

builder.mutationFields((t) => ({
  updateDiscount: t.field({
    type: Discount,
    args: {
      id: t.arg.id({ required: true, description: 'Id of the discount.' }),
      input: t.arg({ type: UpdateDiscountInput, required: true, description: 'The fields to change.' }),
    },
    description:
      'Changes who gets a discount from now on. Its value and its duration cannot change. Subscriptions that have it keep it, and so do checkouts whose wallets got transactions to sign. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request` with the field of the input as param.',
    resolve: (_root, { id, input }, context) =>
      updateDiscount(context.app, actingScopeOf(context), id, {
        endsAt: input.endsAt,
        maxRedemptions: input.maxRedemptions,
        maxPerCustomer: input.maxPerCustomer,
        name: input.name ?? undefined,
        isActive: input.isActive ?? undefined,
      }),
  }),
}));
