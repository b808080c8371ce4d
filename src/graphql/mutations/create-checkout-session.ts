import { createCheckoutSession } from '../../domain/checkout/create-checkout-session.ts';
import { respell } from '../../http/respell.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { findSession } from '../find-session.ts';
import { CheckoutSession } from '../types/checkout-session.ts';

const CreateCheckoutSessionInput = builder.inputType('CreateCheckoutSessionInput', {
  description: 'Who is to subscribe to what.',
  fields: (t) => ({
    planId: t.string({ required: true, description: "The merchant's own id of an active plan." }),
    customerEmail: t.string({ required: true, description: "Address from the merchant's system." }),
    customerId: t.string({ description: "The merchant's own id of the customer." }),
    merchantWallet: t.string({ description: "If given, it must be the merchant's own. Base58." }),
    successUrl: t.string({
      description: 'Where the customer goes afterwards; `session_id` is added to its query.',
    }),
    cancelUrl: t.string({ description: 'Where a customer who gives up goes.' }),
    metadata: t.field({
      type: 'JSON',
      description: "An object of at most 8 KiB; in all webhooks about the session's subscription.",
    }),
    idempotencyKey: t.string({
      description: 'The same request with the same key gets the same session, until that expires.',
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
      'Opens a checkout for 30 minutes. The same request again gets the same session while it is open. Errors: `authentication_error`; `invalid_request`, param as in the input; `rate_limit_exceeded`, for at most 100 a minute are created.',
    resolve: async (query, _root, { input }, context) => {
      const { sessionId } = await createCheckoutSession(context.app, scopeOf(context), {
        planId: input.planId,
        customerEmail: input.customerEmail,
        customerId: input.customerId ?? undefined,
        merchantWallet: input.merchantWallet ?? undefined,
        successUrl: input.successUrl ?? undefined,
        cancelUrl: input.cancelUrl ?? undefined,
        metadata: input.metadata ?? undefined,
        idempotencyKey: input.idempotencyKey ?? undefined,
      }).catch(respell({ idempotency_key: 'idempotencyKey' }));
      return findSession(context, sessionId, query);
    },
  }),
}));
