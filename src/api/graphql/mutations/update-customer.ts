import { updateCustomer } from '../../../domain/accounts/customer/update-customer.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { Customer } from '../types/customer.ts';

builder.mutationFields((t) => ({
  updateCustomer: t.field({
    type: Customer,
    requires: ['READ', 'WRITE'],
    args: {
      id: t.arg.id({ required: true, description: 'Id of the customer.' }),
      email: t.arg.string({ required: true, description: 'The new email address.' }),
    },
    description:
      'Changes the email of a customer. Events that are already recorded keep the old email. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request`, param `email`, also if another customer has the same wallet and this email.',
    resolve: (_root, { id, email }, context) =>
      updateCustomer(context.app, actingScopeOf(context), id, { email }),
  }),
}));
