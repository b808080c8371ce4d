import { receiptJsonUrl, receiptUrl } from '../../../domain/accounts/customer/receipt-link.ts';
import { documentOf, getReceipt } from '../../../domain/billing/receipt/get-receipt.ts';
import {
  NEWEST_RECEIPTS_FIRST,
  RECEIPT_POSITION,
  receiptsBeyond,
  receiptsWhere,
} from '../../../domain/billing/receipt/list-receipts.ts';
import { receiptTexts } from '../../../domain/billing/receipt/receipt-texts.ts';
import { MAX_TOTAL } from '../../../domain/kernel/paging/numbered-page.ts';
import { fitsPdf } from '../../pages/receipt-pdf.ts';
import { listFilter, withConditions } from '../arguments/list-filter.ts';
import { replaceCursorIn } from '../arguments/replace-cursor.ts';
import { withoutNulls } from '../arguments/without-nulls.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

export const Receipt = builder.prismaObject('Receipt', {
  description: 'The receipt of a payment that is finalized on chain. It never changes.',
  fields: (t) => ({
    number: t.exposeInt('number', {
      description:
        'Number of the receipt. Each merchant and environment has its own numbers: 1, 2, 3 and so on, without a gap.',
    }),
    issuedAt: t.expose('issuedAt', { type: 'DateTime', description: 'When the receipt was issued.' }),
    url: t.string({
      description: 'URL of the public page of the receipt. Anyone who has the URL can read the receipt.',
      resolve: ({ paymentId }, _args, { app }) => receiptUrl(app.config, paymentId),
    }),
    pdfUrl: t.string({
      nullable: true,
      description:
        'URL of the receipt as PDF; null if the receipt has letters that are not Latin, Greek or Cyrillic. In that case print its page.',
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
      description: 'The full content of the receipt. docs/receipts.md describes its fields.',
    }),
    payment: t.relation('payment', { description: 'The payment that the receipt confirms.' }),
  }),
});

const RECEIPT_FILTER = listFilter('ReceiptFilter', 'receipts', (t) => ({
  number: t.int({ description: 'Only the receipt with this number.' }),
  subscriptionId: t.id({
    description:
      'Address of a subscription account, for the receipts of all subscriptions at this address; or a `lifeId`, for those of one subscription.',
  }),
  customer: t.string({
    description: 'Only receipts of customers with this email (ignoring case) or this `customerId`.',
  }),
  from: t.field({ type: 'DateTime', description: 'Only receipts issued at this time or later.' }),
  to: t.field({ type: 'DateTime', description: 'Only receipts issued before this time.' }),
}));

builder.queryFields((t) => ({
  receipt: t.prismaField({
    type: Receipt,
    nullable: true,
    args: {
      number: t.arg.int({ description: 'Number of the receipt. Give either this or `paymentId`.' }),
      paymentId: t.arg.id({ description: 'Id of the payment of the receipt. Give either this or `number`.' }),
    },
    description:
      'One receipt, by its number or by its payment. Errors: `authentication_error`; `not_found`, param `number` or `paymentId`; `invalid_request`, param `number`, if none or both are given.',
    resolve: (query, _root, args, context) =>
      getReceipt(context.app, scopeOf(context), withoutNulls(args), query),
  }),
  receipts: t.prismaConnection(
    {
      type: Receipt,
      cursor: 'paymentId',
      args: {
        filter: t.arg({ type: RECEIPT_FILTER.type, description: 'Filter; default all receipts.' }),
        ...RECEIPT_FILTER.olderArguments(t.arg),
      },
      description:
        'Receipts, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range, or param `subscriptionId`, `customer` (also if more than 1,000 customers match) or `to`, or the field of the filter, for example `filter.to`.',
      totalCount: async (_root, args, context) => {
        const { db } = context.app;
        return db.receipt.count({
          where: await withConditions(args, (conditions) => receiptsWhere(db, scopeOf(context), conditions)),
          take: MAX_TOTAL,
        });
      },
      resolve: async (query, _root, args, context) => {
        const scope = scopeOf(context);
        const { db } = context.app;
        const where = await withConditions(args, (conditions) => receiptsWhere(db, scope, conditions));
        const { page, condition } = await replaceCursorIn(
          query,
          (paymentId) => db.receipt.findFirst({ where: { ...scope, paymentId }, select: RECEIPT_POSITION }),
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
    { name: 'ReceiptEdge', description: 'One receipt of a page, with its cursor.' },
  ),
}));
