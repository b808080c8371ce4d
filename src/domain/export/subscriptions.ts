import type { AppContext } from '../../app.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Scope } from '../access/scope.ts';
import { type SubscriptionFilter, subscriptionsWhere } from '../billing/read/list-subscriptions.ts';
import { nextPaymentOf } from '../billing/read/next-payment.ts';
import type { Columns } from './csv.ts';
import type { CsvSource } from './export-csv.ts';
import { pageAfter } from './page-after.ts';

const include = { plan: true, customer: true } satisfies Prisma.SubscriptionInclude;

type Row = Prisma.SubscriptionGetPayload<{ include: typeof include }>;

const columns: Columns<Row> = {
  subscriptionId: ({ address }) => address,
  state: ({ status }) => status.toLowerCase(),
  planId: ({ plan }) => plan.planId,
  planName: ({ plan }) => plan.name,
  amount: ({ plan }) => plan.amount,
  interval: ({ plan }) => plan.intervalSeconds,
  mint: ({ plan }) => plan.mint,
  email: ({ customer }) => customer.email,
  customerId: ({ customer }) => customer.customerId,
  walletAddress: ({ walletAddress }) => walletAddress,
  paymentNumber: ({ paymentCount }) => paymentCount,
  failureCount: ({ failureCount }) => failureCount,
  nextPaymentDate: (subscription) => nextPaymentOf(subscription).nextPaymentAt,
  startedAt: ({ startedAt }) => startedAt,
  cancelledAt: ({ cancelledAt }) => cancelledAt,
  accessUntil: (subscription) => nextPaymentOf(subscription).accessUntil,
  metadata: ({ metadata }) => JSON.stringify(metadata),
  createdAt: ({ createdAt }) => createdAt,
};

/**
 * Exports the subscriptions that match a filter.
 *
 * @throws BillingError invalid_request, with the name in the filter as param
 */
export async function subscriptionsExport(
  { db }: Pick<AppContext, 'db'>,
  scope: Scope,
  filter: SubscriptionFilter,
): Promise<CsvSource<Row>> {
  const where = await subscriptionsWhere(db, scope, filter);
  return {
    columns,
    read: (place, take) => db.subscription.findMany({ ...pageAfter(where, place, take), include }),
  };
}
