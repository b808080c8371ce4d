import { createCheckoutSession } from '../../../domain/checkout/session/create-checkout-session.ts';
import { renameParams } from '../../errors/rename-params.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { createdSession } from '../loaders/find-checkout-session.ts';
import { CheckoutSession } from '../types/checkout-session.ts';

const CreateCheckoutSessionInput = builder.inputType('CreateCheckoutSessionInput', {
  description: 'The plan and the customer of a checkout.',
  fields: (t) => ({
    planId: t.string({ required: true, description: "The merchant's id of an active plan." }),
    priceId: t.string({
      description: 'Id of one of the prices of the plan that is not retired; default: the current one.',
    }),
    discountId: t.string({
      description: 'Id of a discount that the customer gets without a code.',
    }),
    allowsCodes: t.boolean({
      description: 'Whether the customer may enter a code of a discount on the page; default no.',
    }),
    customerEmail: t.string({
      required: true,
      description: 'Email address of the customer.',
    }),
    customerId: t.string({ description: "The merchant's own id of the customer." }),
    merchantWallet: t.string({
      description:
        'Wallet of the merchant, base58. If it is given, it must be the wallet that receives the money: a check against wrong configuration.',
    }),
    successUrl: t.string({
      description: 'URL for the customer after the checkout; `session_id` is added to its query.',
    }),
    cancelUrl: t.string({ description: 'URL for a customer who cancels the checkout.' }),
    metadata: t.field({
      type: 'JSON',
      description: 'A JSON object of at most 8 KiB. It is part of all webhooks about the subscription.',
    }),
    idempotencyKey: t.string({
      description:
        'A text of your choice that identifies this request. A repeated request with the same text returns the same session until the session expires.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createCheckoutSession: t.prismaField({
    type: CheckoutSession,
    requires: 'CHECKOUT',
    args: {
      input: t.arg({ type: CreateCheckoutSessionInput, required: true, description: 'The checkout.' }),
    },
    description:
      'Creates a checkout session that is open for 30 minutes. A repeated request returns the same session while it is open; with `idempotencyKey`, until it expires. Errors: `authentication_error`; `invalid_request`, param as in the input; `rate_limit_exceeded` after 100 sessions in one minute.',
    resolve: async (query, _root, { input }, context) => {
      const created = await createCheckoutSession(context.app, scopeOf(context), {
        planId: input.planId,
        priceId: input.priceId ?? undefined,
        discountId: input.discountId ?? undefined,
        allowsCodes: input.allowsCodes ?? undefined,
        customerEmail: input.customerEmail,
        customerId: input.customerId ?? undefined,
        merchantWallet: input.merchantWallet ?? undefined,
        successUrl: input.successUrl ?? undefined,
        cancelUrl: input.cancelUrl ?? undefined,
        metadata: input.metadata ?? undefined,
        idempotencyKey: input.idempotencyKey ?? undefined,
      }).catch(renameParams({ idempotency_key: 'idempotencyKey' }));
      return createdSession(context, created, query);
    },
  }),
}));
