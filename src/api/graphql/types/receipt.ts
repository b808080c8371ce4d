import { MAX_TOTAL } from '../../../domain/paging/page.ts';
import { documentOf, getReceipt } from '../../../domain/receipt/get-receipt.ts';
import {
  NEWEST_RECEIPTS_FIRST,
  RECEIPT_PLACE,
  receiptsBeyond,
  receiptsWhere,
} from '../../../domain/receipt/list-receipts.ts';
import { receiptJsonUrl, receiptUrl } from '../../../domain/receipt/receipt-link.ts';
import { receiptTexts } from '../../../domain/receipt/receipt-texts.ts';
import { fitsPdf } from '../../pages/receipt-pdf.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { replaceCursorIn } from '../replace-cursor.ts';
import { withoutNulls } from '../without-nulls.ts';

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
        'URL of the receipt as PDF; null if it has letters that are not Latin, Greek or Cyrillic: print its page instead.',
      resolve: (receipt, _args, { app }) =>
        fitsPdf(receiptTexts(documentOf(receipt), { received: 0n, refunds: [] }))
          ? `${receiptUrl(app.config, receipt.paymentId)}/receipt.pdf`
          : null,
    }),
    jsonUrl: t.string({
      description: 'URL of the receipt as JSON, which `dues verify` reads.',
      resolve: ({ paymentId }, _args, { app }) => receiptJsonUrl(app.config, paymentId),
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
    args: {
      number: t.arg.int({ description: 'Number of the receipt.' }),
      paymentId: t.arg.id({ description: 'Id of its payment, instead of the number.' }),
    },
    description:
      'A receipt, by its number or its payment. Errors: `authentication_error`; `not_found`, param as in the arguments; `invalid_request`, param `number`, unless exactly one is given.',
    resolve: (query, _root, args, context) =>
      getReceipt(context.app, scopeOf(context), withoutNulls(args), query),
  }),
  receipts: t.prismaConnection(
    {
      type: Receipt,
      cursor: 'paymentId',
      args: {
        number: t.arg.int({ description: 'Only the receipt with this number.' }),
        subscriptionId: t.arg.id({
          description:
            'Only receipts of all subscriptions at this address, or of the one with this `lifeId`.',
        }),
        customer: t.arg.string({
          description:
            'Only receipts given to the customer with this email (ignoring case) or this id of the merchant.',
        }),
        from: t.arg({ type: 'DateTime', description: 'Only receipts given at this time or later.' }),
        to: t.arg({ type: 'DateTime', description: 'Only receipts given before this time.' }),
      },
      description:
        'Receipts, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range, or param `subscriptionId`, `customer` (also if more than 1,000 customers match) or `to`.',
      totalCount: async (_root, args, context) => {
        const { db } = context.app;
        return db.receipt.count({
          where: await receiptsWhere(db, scopeOf(context), withoutNulls(args)),
          take: MAX_TOTAL,
        });
      },
      resolve: async (query, _root, args, context) => {
        const scope = scopeOf(context);
        const { db } = context.app;
        const where = await receiptsWhere(db, scope, withoutNulls(args));
        const { page, condition } = await replaceCursorIn(
          query,
          (paymentId) => db.receipt.findFirst({ where: { ...scope, paymentId }, select: RECEIPT_PLACE }),
          receiptsBeyond,
        );
        return db.receipt.findMany({
          ...page,
          where: { AND: [where, condition] },
          orderBy: NEWEST_RECEIPTS_FIRST,
        });
      },
    },
    { name: 'ReceiptConnection', description: 'A page of receipts.' },
    { name: 'ReceiptEdge', description: 'An edge of a page of receipts.' },
  ),
}));
