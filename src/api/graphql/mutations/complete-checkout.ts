import { forPublic } from '../../../domain/accounts/merchant/for-public.ts';
import {
  type CompletedCheckout,
  completeCheckout,
} from '../../../domain/checkout/completion/complete-checkout.ts';
import { builder } from '../builder.ts';

const CompletedCheckoutRef = builder.objectRef<CompletedCheckout>('CompletedCheckout').implement({
  description: 'The result of a completed checkout.',
  requires: null,
  fields: (t) => ({
    sessionId: t.exposeID('sessionId', { description: 'Id of the checkout session.' }),
    subscriptionId: t.exposeID('subscriptionId', {
      description: 'Address of the subscription account. Base58.',
    }),
    redirectUrl: t.exposeString('redirectUrl', {
      nullable: true,
      description: 'URL to which the customer is redirected; null if the merchant gave none.',
    }),
  }),
});

builder.mutationFields((t) => ({
  completeCheckout: t.field({
    type: CompletedCheckoutRef,
    requires: null,
    args: {
      sessionId: t.arg.id({ required: true, description: 'Id of the session.' }),
      subscriptionPda: t.arg.string({
        required: true,
        description: 'Address of the subscription account. Base58.',
      }),
      userWallet: t.arg.string({ required: true, description: 'Wallet that pays. Base58.' }),
      signature: t.arg.string({
        required: true,
        description: 'Signature of the transaction that created the subscription. Base58.',
      }),
    },
    description:
      "Completes a checkout with the subscription that the customer's wallet has created on chain. Needs no key: the id of the session gives access, and dues verifies the subscription on chain. A repeated call returns the same result. Errors: `not_found`; `session_expired`; `plan_inactive`; `invalid_request`, param `subscriptionPda`, `userWallet` or `signature`.",
    resolve: (_root, { sessionId, ...input }, { app }) => completeCheckout(forPublic(app), sessionId, input),
  }),
}));
