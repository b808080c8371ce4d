import type { AppContext } from '../../../app.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import { type Line, linesOf, totalOf } from '../../billing/price/line.ts';
import { type PaymentFilter, paymentsWhere } from '../../billing/read/list-payments.ts';
import { pendingRefundAmount, refundedAmount } from '../../billing/refund/refunded-amounts.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import type { Columns } from './csv.ts';
import type { CsvSource } from './export-csv.ts';
import { pageAfter } from './page-after.ts';
import { type RowToken, type TokenContext, withTokens } from './with-tokens.ts';

const include = {
  subscription: { select: { address: true, walletAddress: true, plan: true, customer: true } },
  refunds: { select: { status: true, amount: true } },
} satisfies Prisma.PaymentInclude;

type Row = Prisma.PaymentGetPayload<{ include: typeof include }> & {
  readonly token: RowToken;
  readonly parsedLines: readonly Line[];
};

const columns: Columns<Row> = {
  paymentId: ({ id }) => id,
  subscriptionId: ({ subscription }) => subscription.address,
  planId: ({ subscription }) => subscription.plan.planId,
  email: ({ subscription }) => subscription.customer.email,
  customerId: ({ subscription }) => subscription.customer.customerId,
  walletAddress: ({ subscription }) => subscription.walletAddress,
  status: ({ status }) => status.toLowerCase(),
  paymentNumber: ({ number }) => number,
  amount: ({ amount }) => amount,
  mint: ({ subscription }) => subscription.plan.mint,
  dueAt: ({ dueAt }) => dueAt,
  paidAt: ({ paidAt }) => paidAt,
  signature: ({ signature }) => signature,
  finalized: ({ finalized }) => finalized,
  createdAt: ({ createdAt }) => createdAt,
  // These come last, so that the other columns keep their positions.
  receiptNumber: ({ receiptNumber }) => receiptNumber || null,
  refundedAmount: ({ refunds }) => refundedAmount(refunds),
  pendingRefundAmount: ({ refunds }) => pendingRefundAmount(refunds),
  decimalAmount: ({ amount, token }) => token.toDecimal(amount),
  decimalRefundedAmount: ({ refunds, token }) => token.toDecimal(refundedAmount(refunds)),
  symbol: ({ token }) => token.symbol,
  // 0 unless it succeeded.
  paidAmount: ({ paidAmount }) => paidAmount || null,
  decimalPaidAmount: ({ paidAmount, token }) => (paidAmount ? token.toDecimal(paidAmount) : null),
  kind: ({ kind }) => kind.toLowerCase(),
  waivedReason: ({ waivedReason }) => waivedReason?.toLowerCase() ?? null,
  lines: ({ parsedLines }) => linesText(parsedLines),
  // What it would be without a discount, and what the discount takes off.
  listAmount: ({ amount, parsedLines }) => amount + takenOff(parsedLines),
  discountAmount: ({ parsedLines }) => takenOff(parsedLines),
};

/** What discounts take off, in base units; 0 without one. */
function takenOff(lines: readonly Line[]): bigint {
  return -totalOf(lines.filter(({ kind }) => kind === 'DISCOUNT'));
}

/** `Gold 10000000; Above the limit -2000000`, in base units. */
function linesText(lines: readonly Line[]): string {
  return lines.map(({ text, amount }) => `${text} ${amount}`).join('; ');
}

/**
 * Exports the payments that match a filter.
 *
 * @throws BillingError invalid_request, param `planId`, `subscriptionId`, `customer`, `signature`
 *   or `to`
 */
export async function paymentsExport(
  ctx: Pick<AppContext, 'db'> & TokenContext,
  scope: Scope,
  filter: PaymentFilter,
): Promise<CsvSource<Row>> {
  const { db } = ctx;
  const where = await paymentsWhere(db, scope, filter);
  return {
    columns,
    async read(position, take) {
      const rows = await db.payment.findMany({ ...pageAfter(where, position, take), include });
      const described = rows.map((row) => ({ ...row, parsedLines: linesOf(row) }));
      return withTokens(ctx, scope.environment, described, ({ subscription }) => subscription.plan.mint);
    },
  };
}
