import type { AppContext } from '../../../app.ts';
import { receiptUrl } from '../../accounts/customer/receipt-link.ts';
import { documentOf } from '../../billing/receipt/get-receipt.ts';
import {
  type ListedReceipt,
  type ReceiptFilter,
  receiptsBeyond,
  receiptsWhere,
  WITH_AMOUNTS,
} from '../../billing/receipt/list-receipts.ts';
import type { ReceiptDocument } from '../../billing/receipt/receipt-document.ts';
import { refundedAmount } from '../../billing/refund/refunded-amounts.ts';
import { toDecimal } from '../../catalog/money/decimal-amount.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import type { Columns } from './csv.ts';
import type { CsvSource } from './export-csv.ts';

interface Row extends Omit<ListedReceipt, 'document'> {
  readonly document: ReceiptDocument;
  readonly url: string;
  /** The merchant's id of the buyer. */
  readonly buyerId: string | null;
  readonly refunded: bigint;
}

const columns: Columns<Row> = {
  number: ({ number }) => number,
  issuedAt: ({ issuedAt }) => issuedAt,
  paidAt: ({ document }) => document.paidAt,
  paymentId: ({ paymentId }) => paymentId,
  paymentNumber: ({ document }) => document.paymentNumber,
  subscriptionId: ({ document }) => document.chain.subscription,
  planId: ({ document }) => document.plan.id,
  planName: ({ document }) => document.plan.name,
  periodFrom: ({ document }) => document.period.from,
  periodTo: ({ document }) => document.period.to,
  email: ({ document }) => document.buyer.email,
  customerId: ({ buyerId }) => buyerId,
  walletAddress: ({ document }) => document.buyer.wallet,
  billingName: ({ document }) => document.buyer.legalName,
  billingAddress: ({ document }) => document.buyer.address,
  taxId: ({ document }) => document.buyer.taxId,
  amount: ({ document }) => document.amount.baseUnits,
  decimals: ({ document }) => document.amount.decimals,
  symbol: ({ document }) => document.amount.symbol,
  mint: ({ document }) => document.amount.mint,
  paymentAmount: ({ payment }) => payment.paidAmount,
  refunds: ({ payment }) => payment.refunds.filter(({ status }) => status === 'SUCCEEDED').length,
  refundedAmount: ({ refunded }) => refunded,
  netAmount: ({ payment, refunded }) => payment.paidAmount - refunded,
  signature: ({ document }) => document.chain.signature,
  url: ({ url }) => url,
  // These come last, so that the other columns keep their positions.
  decimalAmount: ({ document: { amount } }) => (amount.decimals === null ? null : amount.decimal),
  decimalRefundedAmount: ({ document: { amount }, refunded }) =>
    amount.decimals === null ? null : toDecimal(refunded, amount.decimals),
};

/**
 * Exports the receipts that match a filter, as issued, with the amounts that their payments have
 * received and refunded until now.
 *
 * @throws BillingError invalid_request, param `subscriptionId`, `customer` or `to`
 */
export async function receiptsExport(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  scope: Scope,
  filter: ReceiptFilter,
): Promise<CsvSource<Row>> {
  const where = await receiptsWhere(db, scope, filter);
  return {
    columns,
    async read(last, take) {
      const receipts = await db.receipt.findMany({
        where: { AND: last ? [where, receiptsBeyond(last, 'newer')] : [where] },
        orderBy: [{ issuedAt: 'asc' }, { number: 'asc' }],
        take,
        include: WITH_AMOUNTS,
      });
      const buyers = await db.customer.findMany({
        where: { id: { in: receipts.map(({ customerId }) => customerId) } },
        select: { id: true, customerId: true },
      });
      const buyerIds = new Map(buyers.map(({ id, customerId }) => [id, customerId]));
      return receipts.map((receipt) => ({
        ...receipt,
        document: documentOf(receipt),
        url: receiptUrl(config, receipt.paymentId),
        buyerId: buyerIds.get(receipt.customerId) ?? null,
        refunded: refundedAmount(receipt.payment.refunds),
      }));
    },
  };
}
