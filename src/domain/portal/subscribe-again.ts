import type { AppContext } from '../../app.ts';
import { merchantPage } from '../accounts/merchant/merchant-page.ts';
import { COLLECTING } from '../billing/book/status.ts';
import type { BillableSubscription } from '../billing/schedule/billable.ts';
import { acceptsSubscribers } from '../catalog/plan/accepts-subscribers.ts';
import type { PortalAction } from './portal-actions.ts';
import type { PortalCaller } from './portal-session.ts';

/** Where the customer of an ended subscription can subscribe again. */
export interface SubscribeAgain {
  /** A path of ours, or a URL of the merchant. */
  readonly url: string;
  /** Whether it opens a payment link of the same plan; otherwise it is a page of the merchant. */
  readonly isSamePlan: boolean;
}

/** Actions that continue a subscription. They are better than a new one. */
const CONTINUING: readonly PortalAction[] = ['undo', 'resume'];

/**
 * The newest payment link of the plan that is on. Without one, or if the plan is closed, it is the
 * URL to which the portal leads back, or else the merchant's page. Null if there is none of these,
 * if the subscription can be continued, or if the wallet has subscribed to the plan again.
 *
 * @param actions what the customer can do with the subscription now
 */
export async function subscribeAgainAt(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  { flow, returnUrl }: Pick<PortalCaller, 'flow' | 'returnUrl'>,
  subscription: BillableSubscription,
  actions: readonly PortalAction[],
): Promise<SubscribeAgain | null> {
  const { planId, walletAddress, status, plan, customer } = subscription;
  const mayContinue = COLLECTING.includes(status) || actions.some((action) => CONTINUING.includes(action));
  if (flow !== 'ALL' || mayContinue) return null;
  const newer = await ctx.db.subscription.findFirst({
    where: { planId, walletAddress, status: { in: [...COLLECTING] } },
    select: { id: true },
  });
  if (newer) return null;
  const link = acceptsSubscribers(plan, ctx.clock.now())
    ? await ctx.db.paymentLink.findFirst({
        where: { planId, active: true },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        select: { id: true },
      })
    : null;
  if (link) return { url: `/pay/${link.id}?email=${encodeURIComponent(customer.email)}`, isSamePlan: true };
  const page = returnUrl ?? (await merchantPage(ctx, subscription));
  return page === null ? null : { url: page, isSamePlan: false };
}
