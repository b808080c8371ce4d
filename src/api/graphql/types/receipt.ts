import { documentOf, getReceipt } from '../../../domain/receipt/get-receipt.ts';
import { receiptUrl } from '../../../domain/receipt/receipt-link.ts';
import { receiptTexts } from '../../../domain/receipt/receipt-texts.ts';
import { fitsPdf } from '../../pages/receipt-pdf.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

export const Receipt = builder.prismaObject('Receipt', {
  description: 'The receipt of a final payment. It never changes.',
  fields: (t) => ({
    number: t.exposeInt('number', {
      description: 'Consecutive for each merchant and environment: 1, 2, 3 ... without a gap.',
    }),
    issuedAt: t.expose('issuedAt', { type: 'DateTime', description: 'When the receipt was given.' }),
    url: t.string({
      description: 'URL of its public page. Whoever has it may read the receipt.',
      resolve: ({ paymentId }, _args, { app }) => receiptUrl(app.config, paymentId),
    }),
    pdfUrl: t.string({
      nullable: true,
      description:
        'URL of the receipt as PDF; null if it has letters that the standard fonts of PDF lack: print its page instead.',
      resolve: (receipt, _args, { app }) =>
        fitsPdf(receiptTexts(documentOf(receipt), { received: 0n, refunds: [] }))
          ? `${receiptUrl(app.config, receipt.paymentId)}/receipt.pdf`
          : null,
    }),
    jsonUrl: t.string({
      description: 'URL of the receipt as JSON, which `dues verify` reads.',
      resolve: ({ paymentId }, _args, { app }) => `${receiptUrl(app.config, paymentId)}/receipt.json`,
    }),
    document: t.expose('document', {
      type: 'JSON',
      description: 'All that it says: see docs/receipts.md.',
    }),
    payment: t.relation('payment', { description: 'The payment that it is about.' }),
  }),
});

builder.queryFields((t) => ({
  receipt: t.prismaField({
    type: Receipt,
    nullable: true,
    args: { number: t.arg.int({ required: true, description: 'Number of the receipt.' }) },
    description: 'A receipt. Errors: `authentication_error`; `not_found`, param `number`.',
    resolve: (query, _root, { number }, context) => getReceipt(context.app, scopeOf(context), number, query),
  }),
}));
