import type { AppContext } from '../../app.ts';
import type { Prisma, SubscriptionStatus } from '../../generated/prisma/client.ts';
import { ofCustomersNamed } from '../customer/customers-named.ts';
import { createdIn, type MomentRange } from '../merchant/moment-range.ts';
import { type Page, type PageInput, readCountedPage, readPage } from '../merchant/page.ts';
import { NEWEST_FIRST } from '../merchant/place.ts';
import type { Scope } from '../merchant/scope.ts';
import { validAddress, validSearch } from '../merchant/valid-text.ts';
import { ofPlan } from '../plan/of-plan.ts';
import { countSubscriptions } from './count-subscriptions.ts';
import { type ListedSubscription, readSubscriptionPage } from './read-subscriptions.ts';
import { subscriptionNamed } from './subscription-named.ts';

export interface SubscriptionFilter extends MomentRange {
  readonly status?: SubscriptionStatus | undefined;
  /** The merchant's own id of the plan. */
  readonly planId?: string | undefined;
  /** The customer's email, whatever its case, or the merchant's own id of the customer. */
  readonly customer?: string | undefined;
  readonly walletAddress?: string | undefined;
  /** Email, merchant's own id of the customer, wallet, address of the subscription, or our id of it: the whole of it. */
  readonly search?: string | undefined;
}

/** Newest first. @throws BillingError invalid_request, param `page`, `limit` or a name of the filter */
export async function listSubscriptions(
  { db }: Pick<AppContext, 'db'>,
  scope: Scope,
  { page, limit, ...filter }: SubscriptionFilter & PageInput = {},
): Promise<Page<ListedSubscription>> {
  if (isUnfiltered(filter)) {
    return readCountedPage({ page, limit }, (range) => readSubscriptionPage(db, scope, range));
  }
  const where = await subscriptionsWhere(db, scope, filter);
  return readPage(
    { page, limit },
    (range) => db.subscription.findMany({ where, orderBy: NEWEST_FIRST, ...range, include: LISTED }),
    () => db.subscription.count({ where }),
  );
}

/** What is read with each row of a list, where Prisma reads it. */
const LISTED = { plan: true, customer: true } as const;

/** Whether a list is of all that the merchant has: the one that is asked for again and again. */
export function isUnfiltered(filter: SubscriptionFilter): boolean {
  return Object.values(filter).every((each) => each === undefined);
}

/** How many a list has, on all its pages. @throws BillingError as `subscriptionsWhere` */
export async function countListed(
  db: AppContext['db'],
  scope: Scope,
  filter: SubscriptionFilter,
): Promise<number> {
  if (isUnfiltered(filter)) return countSubscriptions(db, scope);
  return db.subscription.count({ where: await subscriptionsWhere(db, scope, filter) });
}

/**
 * The same condition for pages, for cursors and for exports. Whatever it names is looked up first, so that what is left to
 * the list is a column of it with an index.
 *
 * @throws BillingError invalid_request, param `planId`, `customer`, `walletAddress`, `search` or `to`
 */
export async function subscriptionsWhere(
  db: AppContext['db'],
  scope: Scope,
  { status, planId, customer, walletAddress, search, from, to }: SubscriptionFilter,
): Promise<Prisma.SubscriptionWhereInput> {
  const range = createdIn({ from, to });
  const { merchantId, environment } = scope;
  const all: Prisma.SubscriptionWhereInput[] = [];
  if (planId !== undefined) all.push(await ofPlan(db, scope, planId));
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
  return { merchantId, environment, ...range, ...(status && { status }), AND: all };
}
