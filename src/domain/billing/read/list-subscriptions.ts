import type { AppContext } from '../../../app.ts';
import type { Prisma, Subscription } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { type ListPosition, NEWEST_FIRST } from '../../kernel/paging/list-position.ts';
import {
  type Page,
  type PageInput,
  readCountedPage,
  readUncountedPage,
  type UncountedPage,
} from '../../kernel/paging/numbered-page.ts';
import { type ListedRows, readSubscriptionPage, readSubscriptions } from './read-subscriptions.ts';
import {
  hasNextPayment,
  isUnfiltered,
  type SubscriptionFilter,
  statusesOf,
  subscriptionsWhere,
} from './subscription-filter.ts';
import { readPageOf, SUBSCRIPTION_ORDERS, type SubscriptionOrder } from './subscription-order.ts';

/** What is read of each row, as in Prisma's queries. */
interface RowQuery {
  readonly include?: object;
  readonly select?: object;
}

/**
 * Lists all subscriptions by page number, newest first, with customer, plan and total.
 *
 * @throws BillingError invalid_request, param `page` or `limit`
 */
export function listSubscriptions<Row>(
  { db }: Pick<AppContext, 'db'>,
  scope: Scope,
  rows: ListedRows<Row>,
  input: PageInput = {},
): Promise<Page<Row>> {
  return readCountedPage(input, (range) => readSubscriptionPage(db, scope, range, rows));
}

/** What a list by page number has. */
export interface FilteredPage extends PageInput {
  readonly filter: SubscriptionFilter;
  /** How its rows are read without a filter; undefined if they have more than customer and plan. */
  readonly listed: ListedRows | undefined;
  /** What is read of each row otherwise. */
  rows(): RowQuery;
  /** Counts the subscriptions that match the filter. */
  count(): Promise<number>;
}

/**
 * Lists the subscriptions that match a filter by page number, newest first.
 *
 * @throws BillingError invalid_request, param `page`, `limit` or a name of the filter
 */
export async function filterSubscriptions(
  { db }: Pick<AppContext, 'db'>,
  scope: Scope,
  { filter, listed, rows, count, ...input }: FilteredPage,
): Promise<UncountedPage<Subscription>> {
  if (listed && isUnfiltered(filter)) {
    const { data, pagination } = await listSubscriptions({ db }, scope, listed, input);
    const { total, page, limit } = pagination;
    return { data, pagination: { page, limit, total: async () => total } };
  }
  const where = await subscriptionsWhere(db, scope, filter);
  return readUncountedPage(
    input,
    (range) => db.subscription.findMany({ ...rows(), ...range, where, orderBy: NEWEST_FIRST }),
    count,
  );
}

/** The order of a list. */
export type OrderName = keyof typeof SUBSCRIPTION_ORDERS;

/** The order of a list, if the caller may name one. */
export function orderFor(filter: SubscriptionFilter, name: OrderName | null | undefined): SubscriptionOrder {
  return SUBSCRIPTION_ORDERS[name ?? (hasNextPayment(filter) ? 'NEXT_PAYMENT' : 'CREATED')];
}

/** What a list by cursor has. */
export interface PageByCursor {
  readonly filter: SubscriptionFilter;
  readonly order: SubscriptionOrder;
  /** As in a list by page number. */
  readonly listed: ListedRows | undefined;
  /** A negative `take` takes the last rows before the cursor. */
  readonly page: RowQuery & { readonly take: number };
  /** The subscription of the cursor; undefined at the beginning of the list. */
  readonly cursor: ListPosition | undefined;
  /** The condition for the rows beyond the cursor, by the order. */
  readonly condition: Prisma.SubscriptionWhereInput;
}

/**
 * Lists the subscriptions that match a filter, from a cursor on.
 *
 * @throws BillingError invalid_request, with a name of the filter as param
 */
export async function readSubscriptionsFrom(
  { db }: Pick<AppContext, 'db'>,
  scope: Scope,
  { filter, order, listed, page, cursor, condition }: PageByCursor,
): Promise<Subscription[]> {
  if (listed && page.take > 0 && isUnfiltered(filter)) {
    return readSubscriptions(db, scope, { before: cursor, take: page.take }, listed);
  }
  const rows = { ...page, where: { AND: [await subscriptionsWhere(db, scope, filter), condition] } };
  const statuses = statusesOf(filter);
  if (statuses) return readPageOf(db, statuses, order, rows);
  return db.subscription.findMany({ ...rows, orderBy: order.orderBy });
}
