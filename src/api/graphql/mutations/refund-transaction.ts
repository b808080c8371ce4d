import { type RefundToSign, refundTransaction } from '../../../domain/refund/refund-transaction.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { Refund } from '../types/refund.ts';

const RefundToSignRef = builder.objectRef<RefundToSign>('RefundToSign').implement({
  description: 'A refund with the transaction that sends it.',
  requires: null,
  fields: (t) => ({
    refund: t.expose('refund', { type: Refund, description: 'The refund.' }),
    transaction: t.exposeString('transaction', {
      description: "Unsigned base64 transaction for the merchant's wallet to sign and send.",
    }),
  }),
});

builder.mutationFields((t) => ({
  refundTransaction: t.field({
    type: RefundToSignRef,
    args: { id: t.arg.id({ required: true, description: 'Id of a pending refund.' }) },
    description:
      'Creates a transaction with which your wallet sends a refund; each is valid for about a minute. It also creates the token account of the customer, if that is missing. The refund succeeds when the transaction is final. Errors: `authentication_error`; `not_found`, or `invalid_request` if it is not pending, was already sent or may have been, or your wallet has too little of the token or SOL, param `id`.',
    resolve: (_root, { id }, context) => refundTransaction(context.app, scopeOf(context), id),
  }),
}));
