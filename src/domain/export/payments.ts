import type { AppContext } from '../../app.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Scope } from '../access/scope.ts';
import { type PaymentFilter, paymentsWhere } from '../billing/read/list-payments.ts';
import { pendingRefundAmount, refundedAmount } from '../refund/refunded-amounts.ts';
import type { Columns } from './csv.ts';
import type { CsvSource } from './export-csv.ts';
import { pageAfter } from './page-after.ts';

const include = {
  subscription: { select: { address: true, walletAddress: true, plan: true, customer: true } },
  refunds: { select: { status: true, amount: true } },
} satisfies Prisma.PaymentInclude;

type Row = Prisma.PaymentGetPayload<{ include: typeof include }>;

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
};

/**
 * Exports the payments that match a filter.
 *
 * @throws BillingError invalid_request, param `planId`, `subscriptionId`, `customer`, `signature`
 *   or `to`
 */
export async function paymentsExport(
  { db }: Pick<AppContext, 'db'>,
  scope: Scope,
  filter: PaymentFilter,
): Promise<CsvSource<Row>> {
  const where = await paymentsWhere(db, scope, filter);
  return {
    columns,
    read: (place, take) => db.payment.findMany({ ...pageAfter(where, place, take), include }),
  };
}
