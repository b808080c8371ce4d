import { updateCustomer } from '../../../domain/customer/update-customer.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { Customer } from '../types/customer.ts';

builder.mutationFields((t) => ({
  updateCustomer: t.field({
    type: Customer,
    args: {
      id: t.arg.id({ required: true, description: 'Id of the customer.' }),
      email: t.arg.string({ required: true, description: 'The new email address.' }),
    },
    description:
      "Changes a customer's email. Events that are already recorded keep the old one. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request`, param `email`, also if the wallet has another customer with it.",
    resolve: (_root, { id, email }, context) =>
      updateCustomer(context.app, actingScopeOf(context), id, { email }),
  }),
}));
