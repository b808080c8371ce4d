import { MAX_REFUNDS } from '../../../domain/money/max-refunds.ts';
import { createRefund } from '../../../domain/refund/create-refund.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { Refund } from '../types/refund.ts';
import { withoutNulls } from '../without-nulls.ts';

const CreateRefundInput = builder.inputType('CreateRefundInput', {
  description: 'A refund.',
  fields: (t) => ({
    paymentId: t.id({ required: true, description: 'Id of a payment that succeeded and is final.' }),
    amount: t.field({
      type: 'TokenAmount',
      description: 'In base units; default all that pending and succeeded refunds leave of the payment.',
    }),
    reason: t.string({ description: 'In your words, 1 to 500 characters. The customer may see it.' }),
    idempotencyKey: t.string({
      description: 'A repeated call with the same key returns the same refund. 1 to 255 characters.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createRefund: t.field({
    type: Refund,
    args: { input: t.arg({ type: CreateRefundInput, required: true, description: 'The refund.' }) },
    description: `Prepares a refund of a payment. Nothing moves until your wallet sends it: \`refundTransaction\`, or \`solanaPayUrl\`. A payment has at most ${MAX_REFUNDS} refunds. Errors: \`authentication_error\`; \`not_found\`, param \`paymentId\`; \`invalid_request\`, param as in the input, or \`paymentId\` if nothing can be refunded.`,
    resolve: (_root, { input }, context) =>
      createRefund(context.app, actingScopeOf(context), withoutNulls(input)),
  }),
}));
