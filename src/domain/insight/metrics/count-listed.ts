import type { AppContext } from '../../../app.ts';
import type { SubscriptionStatus } from '../../../generated/prisma/client.ts';
import { countSubscriptions } from '../../billing/read/count-subscriptions.ts';
import {
  isUnfiltered,
  type SubscriptionFilter,
  statusesOf,
  subscriptionsWhere,
} from '../../billing/read/subscription-filter.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { merchantTotals } from './plan-changes.ts';

const TOTAL_OF = {
  ACTIVE: 'active',
  PAST_DUE: 'pastDue',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
} as const satisfies Record<SubscriptionStatus, string>;

/**
 * The number of subscriptions that match a filter. Without a filter, and by status alone, the cost
 * does not depend on their number: merchants filter the longest lists by status.
 *
 * @throws BillingError as `subscriptionsWhere`
 */
export async function countListed(
  db: AppContext['db'],
  scope: Scope,
  filter: SubscriptionFilter,
): Promise<number> {
  if (isUnfiltered(filter)) return countSubscriptions(db, scope);
  const { status: _, statuses: __, ...others } = filter;
  if (!isUnfiltered(others)) {
    return db.subscription.count({ where: await subscriptionsWhere(db, scope, filter) });
  }
  const totals = await merchantTotals(db, scope);
  return (statusesOf(filter) ?? []).reduce((sum, status) => sum + totals[TOTAL_OF[status]], 0);
}
