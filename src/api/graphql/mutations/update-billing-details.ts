import { updateBillingDetails } from '../../../domain/customer/billing-details.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { Customer } from '../types/customer.ts';

const BillingDetailsInput = builder.inputType('BillingDetailsInput', {
  description: 'The fields to change; others stay unchanged.',
  fields: (t) => ({
    billingName: t.string({
      description: 'Name of a person or company, 1 to 200 characters; null removes it.',
    }),
    billingAddress: t.string({
      description: 'A postal address, at most 8 lines and 500 characters; null removes it.',
    }),
    taxId: t.string({ description: 'A number for taxes, 1 to 50 characters; null removes it.' }),
  }),
});

builder.mutationFields((t) => ({
  updateBillingDetails: t.field({
    type: Customer,
    args: {
      id: t.arg.id({ required: true, description: 'Id of the customer.' }),
      input: t.arg({ type: BillingDetailsInput, required: true, description: 'The details.' }),
    },
    description:
      'Changes what later receipts say of the buyer. Receipts that were given never change. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request`, param as in the input.',
    resolve: (_root, { id, input }, context) =>
      updateBillingDetails(context.app, actingScopeOf(context), id, input),
  }),
}));
