import { updateLink } from '../../../domain/checkout/payment-link/update-link.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { PaymentLink } from '../types/payment-link.ts';

const UpdatePaymentLinkInput = builder.inputType('UpdatePaymentLinkInput', {
  description: 'The fields to change; others stay unchanged.',
  fields: (t) => ({
    name: t.string({ description: 'Name of the link, 1 to 200 characters, which customers do not see.' }),
    active: t.boolean({
      description: 'Switches the link on or off. Checkouts that are already open can still be completed.',
    }),
    successUrl: t.string({ description: 'URL for the customer after completion; null removes it.' }),
    cancelUrl: t.string({ description: 'URL for a customer who cancels the checkout; null removes it.' }),
    allowsCodes: t.boolean({ description: 'Whether customers may enter a code of a discount.' }),
    metadata: t.field({ type: 'JSON', description: 'A JSON object of at most 8 KiB.' }),
  }),
});

builder.mutationFields((t) => ({
  updatePaymentLink: t.field({
    type: PaymentLink,
    requires: ['READ', 'WRITE'],
    args: {
      id: t.arg.id({ required: true, description: 'Id of the link.' }),
      input: t.arg({ type: UpdatePaymentLinkInput, required: true, description: 'The fields to change.' }),
    },
    description:
      'Changes a payment link, or switches it on or off. Its plan cannot change. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request` with the field of the input as param.',
    resolve: (_root, { id, input }, context) =>
      updateLink(context.app, actingScopeOf(context), id, {
        successUrl: input.successUrl,
        cancelUrl: input.cancelUrl,
        metadata: input.metadata ?? undefined,
        allowsCodes: input.allowsCodes ?? undefined,
        name: input.name ?? undefined,
        active: input.active ?? undefined,
      }),
  }),
}));
