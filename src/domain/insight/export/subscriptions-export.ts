import type { AppContext } from '../../../app.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import { appliedDiscount } from '../../billing/read/applied-discount.ts';
import { type NextPayment, nextPaymentOf } from '../../billing/read/next-payment.ts';
import { type SubscriptionFilter, subscriptionsWhere } from '../../billing/read/subscription-filter.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import type { Columns } from './csv.ts';
import type { CsvSource } from './export-csv.ts';
import { pageAfter } from './page-after.ts';
import { type RowToken, type TokenContext, withTokens } from './with-tokens.ts';

const include = {
  plan: true,
  customer: true,
  discountRedemption: { select: { discount: { select: { name: true } } } },
} satisfies Prisma.SubscriptionInclude;

type Row = Prisma.SubscriptionGetPayload<{ include: typeof include }> & {
  readonly token: RowToken;
  readonly next: NextPayment;
  readonly applied: ReturnType<typeof appliedDiscount>;
};

const columns: Columns<Row> = {
  subscriptionId: ({ address }) => address,
  state: ({ status }) => status.toLowerCase(),
  planId: ({ plan }) => plan.planId,
  planName: ({ plan }) => plan.name,
  amount: ({ nextAmount }) => nextAmount,
  interval: ({ plan }) => plan.intervalSeconds,
  mint: ({ plan }) => plan.mint,
  email: ({ customer }) => customer.email,
  customerId: ({ customer }) => customer.customerId,
  walletAddress: ({ walletAddress }) => walletAddress,
  paymentNumber: ({ paymentCount }) => paymentCount,
  failureCount: ({ failureCount }) => failureCount,
  nextPaymentDate: ({ next }) => next.nextPaymentAt,
  startedAt: ({ startedAt }) => startedAt,
  cancelledAt: ({ cancelledAt }) => cancelledAt,
  accessUntil: ({ next }) => next.accessUntil,
  metadata: ({ metadata }) => JSON.stringify(metadata),
  createdAt: ({ createdAt }) => createdAt,
  // These come last, so that the other columns keep their positions.
  decimalAmount: ({ nextAmount, token }) => token.toDecimal(nextAmount),
  symbol: ({ token }) => token.symbol,
  discount: ({ applied, discountRedemption }) => (applied && discountRedemption?.discount.name) ?? null,
  discountPaymentsLeft: ({ applied }) => applied?.periodsLeft ?? null,
  fullPriceAt: ({ applied }) => applied?.fullPriceAt ?? null,
};

/**
 * Exports the subscriptions that match a filter.
 *
 * @throws BillingError invalid_request, with the name in the filter as param
 */
export async function subscriptionsExport(
  ctx: Pick<AppContext, 'db'> & TokenContext,
  scope: Scope,
  filter: SubscriptionFilter,
): Promise<CsvSource<Row>> {
  const { db } = ctx;
  const where = await subscriptionsWhere(db, scope, filter);
  return {
    columns,
    async read(position, take) {
      const rows = await db.subscription.findMany({ ...pageAfter(where, position, take), include });
      const described = rows.map((row) => ({
        ...row,
        next: nextPaymentOf(row),
        applied: appliedDiscount(row),
      }));
      return withTokens(ctx, scope.environment, described, ({ plan }) => plan.mint);
    },
  };
}
