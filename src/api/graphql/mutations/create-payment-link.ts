import { createLink, MAX_LINKS } from '../../../domain/checkout/payment-link/create-link.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { withoutNulls } from '../arguments/without-nulls.ts';
import { builder } from '../builder.ts';
import { PaymentLink } from '../types/payment-link.ts';

const CreatePaymentLinkInput = builder.inputType('CreatePaymentLinkInput', {
  description: 'The plan and the settings of a payment link.',
  fields: (t) => ({
    planId: t.string({ required: true, description: "The merchant's id of a plan that is published." }),
    name: t.string({
      description:
        'Name of the link, 1 to 200 characters, which customers do not see; default the name of the plan.',
    }),
    successUrl: t.string({
      description: 'URL for the customer after completion; `session_id` is added to its query.',
    }),
    cancelUrl: t.string({ description: 'URL for a customer who cancels the checkout.' }),
    allowsCodes: t.boolean({
      description: 'Whether customers may enter a code of a discount; default no.',
    }),
    metadata: t.field({
      type: 'JSON',
      description: 'A JSON object of at most 8 KiB. It is part of all webhooks about the subscriptions.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createPaymentLink: t.field({
    type: PaymentLink,
    args: { input: t.arg({ type: CreatePaymentLinkInput, required: true, description: 'The link.' }) },
    description: `Creates a public page that sells a plan without a backend. An environment has at most ${MAX_LINKS} links. Errors: \`authentication_error\`; \`not_found\`, param \`planId\`; \`invalid_request\` with the field of the input as param, or param \`planId\` if the plan is a draft or there are already ${MAX_LINKS} links.`,
    resolve: (_root, { input }, context) =>
      createLink(context.app, actingScopeOf(context), withoutNulls(input)),
  }),
}));
