import { updateBillingDetails } from '../../../domain/accounts/customer/billing-details.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { Customer } from '../types/customer.ts';

const BillingDetailsInput = builder.inputType('BillingDetailsInput', {
  description: 'The fields to change; others stay unchanged.',
  fields: (t) => ({
    billingName: t.string({
      description: 'Name of a person or company, 1 to 200 characters; null removes it.',
    }),
    billingAddress: t.string({
      description: 'Postal address, at most 8 lines and 500 characters; null removes it.',
    }),
    taxId: t.string({ description: 'Tax number, 1 to 50 characters; null removes it.' }),
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
      'Changes the details of the buyer on later receipts. Receipts that are already issued never change. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request` with the field of the input as param.',
    resolve: (_root, { id, input }, context) =>
      updateBillingDetails(context.app, actingScopeOf(context), id, input),
  }),
}));
