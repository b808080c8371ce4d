// The queries of a portal session. Each begins with the scope of the session's holder, so that a
// row of another customer, merchant or environment is not found.
import type { AppContext } from '../../app.ts';
import { notFound } from '../../errors.ts';
import type { Payment, Prisma } from '../../generated/prisma/client.ts';
import { ofCustomersNamed } from '../accounts/customer/customers-named.ts';
import { refundedAmount } from '../billing/refund/refunded-amounts.ts';
import { type BillableSubscription, billable } from '../billing/schedule/billable.ts';
import { isId } from '../kernel/input/valid-text.ts';
import { LIST_POSITION, NEWEST_FIRST, rowsBeyond } from '../kernel/paging/list-position.ts';
import type { PortalCaller, PortalHolder } from './portal-session.ts';

const SUBSCRIPTIONS_PER_PAGE = 50;
const PAYMENTS_PER_PAGE = 20;

export interface PortalPage<Row> {
  readonly rows: readonly Row[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
}

type Reading = Pick<AppContext, 'db'>;

/** A payment, and whether the session may see its receipt. */
export interface PortalPayment extends Payment {
  /** Base units of its refunds that have succeeded. */
  readonly refundedAmount: bigint;
  readonly showsReceipt: boolean;
}

/** The filter for the subscriptions of a session. */
async function subscriptionsOfHolder(
  { db }: Reading,
  holder: PortalHolder,
): Promise<Prisma.SubscriptionWhereInput> {
  if (holder.kind === 'wallet') return { walletAddress: holder.walletAddress };
  const { merchantId, environment } = holder;
  if (holder.kind === 'customer') return { merchantId, environment, customerId: holder.customerId };
  return { merchantId, environment, ...(await ofCustomersNamed(db, holder, { email: holder.email })) };
}

/** A page of the session's subscriptions, newest first. */
export async function listPortalSubscriptions(
  ctx: Reading,
  { holder }: PortalCaller,
  before?: string,
): Promise<PortalPage<BillableSubscription>> {
  const where = await subscriptionsOfHolder(ctx, holder);
  const position = before === undefined ? undefined : await findPortalSubscription(ctx, { holder }, before);
  const rows = await ctx.db.subscription.findMany({
    where: { AND: [where, position ? rowsBeyond(position, 'older') : {}] },
    orderBy: NEWEST_FIRST,
    take: SUBSCRIPTIONS_PER_PAGE + 1,
    ...billable,
  });
  return pageOf(rows, SUBSCRIPTIONS_PER_PAGE);
}

/** @throws BillingError not_found, param `id`, also for a subscription of somebody else */
export async function findPortalSubscription(
  ctx: Reading,
  { holder }: Pick<PortalCaller, 'holder'>,
  id: string,
): Promise<BillableSubscription> {
  const where = await subscriptionsOfHolder(ctx, holder);
  const subscription = isId(id)
    ? await ctx.db.subscription.findFirst({ where: { AND: [where, { id }] }, ...billable })
    : null;
  if (!subscription) throw notFound('subscription', 'id');
  return subscription;
}

/**
 * A page of the payments of one subscription, newest first.
 *
 * @throws BillingError not_found, param `id` or `before`
 */
export async function listPortalPayments(
  ctx: Reading,
  caller: PortalCaller,
  id: string,
  before?: string,
): Promise<PortalPage<PortalPayment> & { readonly subscription: BillableSubscription }> {
  const subscription = await findPortalSubscription(ctx, caller, id);
  const where = { subscriptionId: subscription.id };
  const position =
    before === undefined || !isId(before)
      ? undefined
      : await ctx.db.payment.findFirst({ where: { ...where, id: before }, select: LIST_POSITION });
  if (before !== undefined && !position) throw notFound('payment', 'before');
  const rows = await ctx.db.payment.findMany({
    where: { AND: [where, position ? rowsBeyond(position, 'older') : {}] },
    orderBy: NEWEST_FIRST,
    take: PAYMENTS_PER_PAGE + 1,
    include: {
      receipt: { select: { customerId: true } },
      refunds: { select: { status: true, amount: true } },
    },
  });
  // A wallet may have subscribed again with another email. Somebody who signed in by the new email
  // must not see a receipt that names the old one.
  const mayShow = (buyer: string) => caller.holder.kind === 'wallet' || buyer === subscription.customerId;
  const shown = rows.map(({ receipt, refunds, ...payment }) => ({
    ...payment,
    refundedAmount: refundedAmount(refunds),
    showsReceipt:
      payment.status === 'SUCCEEDED' &&
      payment.receiptNumber !== 0 &&
      mayShow(receipt?.customerId ?? subscription.customerId),
  }));
  return { ...pageOf(shown, PAYMENTS_PER_PAGE), subscription };
}

function pageOf<Row>(rows: readonly Row[], size: number): PortalPage<Row> {
  return { rows: rows.slice(0, size), hasMore: rows.length > size };
}
