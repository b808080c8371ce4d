import { createRefund } from '../../../domain/billing/refund/create-refund.ts';
import { MAX_REFUNDS } from '../../../domain/catalog/money/max-refunds.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { withoutNulls } from '../arguments/without-nulls.ts';
import { builder } from '../builder.ts';
import { Refund } from '../types/refund.ts';

const CreateRefundInput = builder.inputType('CreateRefundInput', {
  description: 'The payment to refund, and how much of it.',
  fields: (t) => ({
    paymentId: t.id({ required: true, description: 'Id of a payment that succeeded and is finalized.' }),
    amount: t.field({
      type: 'TokenAmount',
      description:
        'Amount in base units; if it is left out, the payment less its pending and succeeded refunds. Null is refused, and so is a variable without a value.',
    }),
    reason: t.string({
      description: 'Reason in your own words, 1 to 500 characters. The customer may see it.',
    }),
    idempotencyKey: t.string({
      description:
        'A text of your choice that identifies this call, 1 to 255 characters. A repeated call with the same text returns the same refund.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createRefund: t.field({
    type: Refund,
    args: { input: t.arg({ type: CreateRefundInput, required: true, description: 'The refund.' }) },
    description: `Prepares a refund of a payment. No money moves until your wallet sends the refund, with \`refundTransaction\` or \`solanaPayUrl\`. A payment has at most ${MAX_REFUNDS} refunds. Errors: \`authentication_error\`; \`not_found\`, param \`paymentId\`; \`invalid_request\` with the field of the input as param, or param \`paymentId\` if nothing can be refunded.`,
    resolve: (_root, { input }, context) =>
      createRefund(context.app, actingScopeOf(context), withoutNulls(input)),
  }),
}));
