import { type RefundToSign, refundTransaction } from '../../../domain/billing/refund/refund-transaction.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { Refund } from '../types/refund.ts';

const RefundToSignRef = builder.objectRef<RefundToSign>('RefundToSign').implement({
  description: 'A refund with the transaction that sends it.',
  requires: null,
  fields: (t) => ({
    refund: t.expose('refund', { type: Refund, description: 'The refund.' }),
    transaction: t.exposeString('transaction', {
      description: "Unsigned transaction in base64, which the merchant's wallet must sign and send.",
    }),
  }),
});

builder.mutationFields((t) => ({
  refundTransaction: t.field({
    type: RefundToSignRef,
    requires: ['READ', 'WRITE'],
    args: { id: t.arg.id({ required: true, description: 'Id of a pending refund.' }) },
    description:
      "Creates the transaction with which your wallet sends a refund. The transaction is valid for about a minute. It also creates the customer's token account if that is missing. The refund succeeds when the transaction is finalized. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request`, param `id`, if the refund is not pending, was or may have been sent, or your wallet has too little of the token or SOL.",
    resolve: (_root, { id }, context) => refundTransaction(context.app, scopeOf(context), id),
  }),
}));
