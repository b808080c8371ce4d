import type { AppContext } from '../../../app.ts';
import { type FailureCode, type Prisma, SubscriptionStatus } from '../../../generated/prisma/client.ts';
import { ofCustomersNamed } from '../../accounts/customer/customers-named.ts';
import { planFilter } from '../../catalog/plan/plan-filter.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { subscriptionNamed } from '../../kernel/input/subscription-named.ts';
import { createdIn, type TimeRange, timeFilter } from '../../kernel/input/time-filter.ts';
import { validAddress, validSearch } from '../../kernel/input/valid-text.ts';
import { COLLECTING } from '../book/status.ts';

export interface SubscriptionFilter extends TimeRange {
  readonly status?: SubscriptionStatus | undefined;
  /** Any of these. */
  readonly statuses?: readonly SubscriptionStatus[] | undefined;
  /** The open payment last failed for this reason. */
  readonly failureCode?: FailureCode | undefined;
  readonly cancelAtPeriodEnd?: boolean | undefined;
  /** When the next payment is due; leaves out subscriptions without one. */
  readonly nextPaymentFrom?: Date | undefined;
  readonly nextPaymentTo?: Date | undefined;
  /** Only those that have a next payment. */
  readonly isToBePaid?: true | undefined;
  /** The merchant's id of the plan. */
  readonly planId?: string | undefined;
  /** The customer's email (ignoring case), or the merchant's id of the customer. */
  readonly customer?: string | undefined;
  readonly walletAddress?: string | undefined;
  /**
   * The complete value of one of these: email, merchant's id of the customer, wallet, address of
   * the subscription, or our id of it.
   */
  readonly search?: string | undefined;
}

/** Whether the list has no filter, which is the most frequent request. */
export function isUnfiltered(filter: SubscriptionFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

/**
 * The filter for pages, cursors and exports. Names are looked up first, so that the list is
 * filtered by an indexed column.
 *
 * @throws BillingError invalid_request, param `planId`, `customer`, `walletAddress`, `search`, `to`
 *   or `nextPaymentTo`
 */
export async function subscriptionsWhere(
  db: AppContext['db'],
  scope: Scope,
  filter: SubscriptionFilter,
): Promise<Prisma.SubscriptionWhereInput> {
  const { planId, customer, walletAddress, search, failureCode, cancelAtPeriodEnd, from, to } = filter;
  const range = createdIn({ from, to });
  const { merchantId, environment } = scope;
  const statuses = statusesOf(filter);
  const all: Prisma.SubscriptionWhereInput[] = [];
  if (hasNextPayment(filter)) {
    const dueAt = { from: filter.nextPaymentFrom, to: filter.nextPaymentTo };
    const nextPaymentAt = timeFilter(dueAt, 'nextPaymentTo', 'nextPaymentFrom');
    all.push({ nextPaymentAt, cancelAtPeriodEnd: false });
  }
  if (failureCode !== undefined) all.push({ payments: { some: { status: 'DUE', failureCode } } });
  if (planId !== undefined) all.push(await planFilter(db, scope, planId));
  if (customer !== undefined) {
    validSearch('customer', customer);
    all.push(await ofCustomersNamed(db, scope, { email: customer, customerId: customer }));
  }
  if (walletAddress !== undefined) {
    validAddress('walletAddress', walletAddress);
    all.push(await ofCustomersNamed(db, scope, { walletAddress }));
  }
  if (search !== undefined) {
    validSearch('search', search);
    const name = { email: search, customerId: search, walletAddress: search };
    all.push({ OR: [subscriptionNamed(search), await ofCustomersNamed(db, scope, name)] });
  }
  return {
    merchantId,
    environment,
    ...range,
    AND: all,
    ...(statuses && {
      status: statuses.length === 1 ? (statuses[0] as SubscriptionStatus) : { in: statuses },
    }),
    ...(cancelAtPeriodEnd !== undefined && { cancelAtPeriodEnd }),
  };
}

/** The statuses that match a filter; undefined if all do. */
export function statusesOf(filter: SubscriptionFilter): SubscriptionStatus[] | undefined {
  const { status, statuses, failureCode } = filter;
  const conditions = [
    ...(status === undefined ? [] : [[status]]),
    ...(statuses === undefined ? [] : [statuses]),
    // Only these have a next payment, and only PAST_DUE ones have a payment that has failed.
    ...(hasNextPayment(filter) ? [COLLECTING] : []),
    ...(failureCode === undefined ? [] : [['PAST_DUE'] as const]),
  ];
  if (conditions.length === 0) return undefined;
  return Object.values(SubscriptionStatus).filter((candidate) =>
    conditions.every((allowed) => allowed.includes(candidate)),
  );
}

/** Whether the filter matches only subscriptions that have a next payment. */
export function hasNextPayment({ nextPaymentFrom, nextPaymentTo, isToBePaid }: SubscriptionFilter): boolean {
  return isToBePaid === true || nextPaymentFrom !== undefined || nextPaymentTo !== undefined;
}
