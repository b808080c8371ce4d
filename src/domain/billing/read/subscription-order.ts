import type { AppContext } from '../../../app.ts';
import type { Prisma, Subscription, SubscriptionStatus } from '../../../generated/prisma/client.ts';
import { NEWEST_FIRST, rowsBeyond } from '../../kernel/paging/list-position.ts';

/** The fields that subscriptions are ordered by. */
export interface SubscriptionPosition {
  readonly id: string;
  readonly createdAt: Date;
  readonly nextPaymentAt: Date;
}

/** An order of subscriptions. Each has an index that begins with the status. */
export interface SubscriptionOrder {
  readonly orderBy: Prisma.SubscriptionOrderByWithRelationInput[];
  /** The condition for rows further down the list (`older`) or further up. */
  beyond(position: SubscriptionPosition, towards: 'older' | 'newer'): Prisma.SubscriptionWhereInput;
  /** Negative if `a` comes first. */
  compare(a: SubscriptionPosition, b: SubscriptionPosition): number;
}

const byId = (a: SubscriptionPosition, b: SubscriptionPosition) => (a.id < b.id ? -1 : Number(a.id > b.id));

export const SUBSCRIPTION_ORDERS: Readonly<Record<'CREATED' | 'NEXT_PAYMENT', SubscriptionOrder>> = {
  /** Newest first. */
  CREATED: {
    orderBy: NEWEST_FIRST,
    beyond: rowsBeyond,
    compare: (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || byId(b, a),
  },
  /** Earliest due date first. */
  NEXT_PAYMENT: {
    orderBy: [{ nextPaymentAt: 'asc' }, { id: 'asc' }],
    beyond: ({ nextPaymentAt: at, id }, towards) =>
      towards === 'older'
        ? { nextPaymentAt: { gte: at }, OR: [{ nextPaymentAt: { gt: at } }, { id: { gt: id } }] }
        : { nextPaymentAt: { lte: at }, OR: [{ nextPaymentAt: { lt: at } }, { id: { lt: id } }] },
    compare: (a, b) => a.nextPaymentAt.getTime() - b.nextPaymentAt.getTime() || byId(a, b),
  },
};

export const SUBSCRIPTION_POSITION = { id: true, createdAt: true, nextPaymentAt: true } as const;

/**
 * A page of subscriptions in one of several statuses: the page of each, merged. In one query the
 * database would sort all of them, because an index has the order within a status only. A negative
 * `take` takes the last ones.
 */
export async function readPageOf(
  db: AppContext['db'],
  statuses: readonly SubscriptionStatus[],
  order: SubscriptionOrder,
  { where, take, ...query }: { where: Prisma.SubscriptionWhereInput; take: number; include?: object },
): Promise<Subscription[]> {
  const { orderBy } = order;
  const [status, ...others] = statuses;
  if (status === undefined) return [];
  if (others.length === 0) {
    return db.subscription.findMany({ ...query, where: { AND: [where, { status }] }, orderBy, take });
  }
  const pages = await Promise.all(
    statuses.map((candidate) =>
      db.subscription.findMany({
        where: { AND: [where, { status: candidate }] },
        select: SUBSCRIPTION_POSITION,
        orderBy,
        take,
      }),
    ),
  );
  const merged = pages.flat().sort(order.compare);
  const page = take < 0 ? merged.slice(take) : merged.slice(0, take);
  return db.subscription.findMany({ ...query, where: { id: { in: page.map(({ id }) => id) } }, orderBy });
}
