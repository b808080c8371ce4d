import { type CompletedCheckout, completeCheckout } from '../../domain/checkout/complete-checkout.ts';
import { builder } from '../builder.ts';

const CompletedCheckoutRef = builder.objectRef<CompletedCheckout>('CompletedCheckout').implement({
  description: 'What came of a checkout.',
  fields: (t) => ({
    sessionId: t.exposeID('sessionId', { description: 'Id of the session.' }),
    subscriptionId: t.exposeID('subscriptionId', {
      description: 'Address of the subscription account. Base58.',
    }),
    redirectUrl: t.exposeString('redirectUrl', {
      nullable: true,
      description: 'Where the customer goes on to; null where the merchant named no place.',
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
        description: 'Signature of the transaction that made the subscription. Base58.',
      }),
    },
    description:
      "Finishes a checkout with what the customer's wallet did on chain. Needs no key: the id is the permission, the chain is the proof. The same call again gets the same answer. Errors: `not_found`; `session_expired`; `plan_inactive`; `invalid_request`, param `subscriptionPda`, `userWallet` or `signature`.",
    resolve: (_root, { sessionId, ...input }, { app }) => completeCheckout(app, sessionId, input),
  }),
}));
