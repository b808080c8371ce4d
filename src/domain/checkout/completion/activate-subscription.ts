import type { AppContext } from '../../../app.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { derivedId } from '../../../db/derived-id.ts';
import {
  type CheckoutSession,
  type Plan,
  Prisma,
  type Subscription,
} from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import { keepChange } from '../../../jobs/kept-changes.ts';
import { markStates } from '../../billing/customer-state/record-states.ts';
import {
  type AgreedDiscount,
  type ProvenSubscription,
  type Start,
  startSubscription,
} from '../../billing/lifecycle/start-subscription.ts';
import { publishSubscriptions } from '../../billing/read/publish-subscriptions.ts';
import { settleTransfersAt } from '../../billing/settle/settle-transactions.ts';
import { keepWaivers } from '../../billing/waive/keep-waivers.ts';
import { assertClockAgrees } from '../../chain-state/clock/clock-agrees.ts';
import { recordSlot } from '../../chain-state/mirror/known-slot.ts';
import { metadataOf } from '../../kernel/input/metadata-of.ts';
import { recordEvent } from '../../messages/event/record-event.ts';
import { agreedDiscount, redeemDiscount } from '../discount/redeem-discount.ts';
import { atSessionPrice } from '../session/at-session-price.ts';

export type Activation =
  | { readonly kind: 'activated'; readonly subscription: Subscription; readonly isReactivated: boolean }
  /** The session already has a subscription, possibly another one. */
  | { readonly kind: 'completed_before'; readonly subscription: Subscription }
  | Exclude<Start, { readonly kind: 'started' }>;

/**
 * Completes a checkout session with a subscription in one database transaction: the session, the
 * subscription with its customer, and the event. Repeated and concurrent calls have one effect.
 *
 * @param chain the cluster of the session's environment
 * @throws ClocksApart because our clock decides which period is paid next, and when
 */
export async function activateSubscription(
  ctx: AppContext,
  chain: Chain,
  sessionId: string,
  proven: ProvenSubscription,
): Promise<Activation> {
  await assertClockAgrees(ctx, chain);
  await recordSlot(ctx, chain.environment, proven.slot);
  const activation = await inTransaction(ctx, (tx) => activate(ctx, tx, sessionId, proven));
  if (activation.kind !== 'activated') return activation;
  const { subscription, isReactivated } = activation;
  if (isReactivated) {
    // A cancellation or a pause before it must not be made again.
    const { id, merchantId, environment } = subscription;
    const at = ctx.clock.now();
    await keepChange(ctx, { kind: 'subscription.cancellation_undone', merchantId, environment, id, at });
    await keepWaivers(ctx, subscription, { kind: 'subscription.unpaused', id, at });
  }
  await ctx.live.publish('checkout-session.updated', { sessionId });
  await publishSubscriptions(ctx, [subscription]);
  await settleTransfersAt(ctx, subscription.environment, subscription.address);
  return activation;
}

async function activate(
  ctx: AppContext,
  tx: DbTransaction,
  sessionId: string,
  proven: ProvenSubscription,
): Promise<Activation> {
  // Locks the session first, then the address, so that two calls for one session run one after the
  // other, and so do two sessions for one address.
  await tx.$queryRaw(Prisma.sql`SELECT 1 FROM "CheckoutSession" WHERE "id" = ${sessionId} FOR UPDATE`);
  const found = await tx.checkoutSession.findUniqueOrThrow({
    where: { id: sessionId },
    include: { plan: true, subscription: true },
  });
  const session = atSessionPrice(found);
  if (session.subscription) return { kind: 'completed_before', subscription: session.subscription };
  const now = ctx.clock.now();
  const discount = await agreedDiscount(tx, session, proven.wallet, now);
  const start = await startSubscription(tx, { ...session, discount }, proven, now);
  if (start.kind !== 'started') return start;
  const { subscription, isReactivated, at } = start;
  if (discount) await redeemDiscount(tx, discount, subscription, now);
  await tx.checkoutSession.update({
    where: { id: sessionId },
    data: {
      status: 'COMPLETED',
      completedAt: now,
      subscriptionId: subscription.id,
      signature: proven.signature,
      walletAddress: proven.wallet,
      // The others may have signed too: `record-duplicate.ts`.
      earlierWallets: otherWallets(session, proven.wallet),
    },
  });
  if (session.paymentLinkId !== null) await countCompleted(tx, session.paymentLinkId);
  await recordCreated(tx, { ...session, discount }, subscription, { at, signature: proven.signature });
  await markStates(tx, [subscription.id], at);
  return { kind: 'activated', subscription, isReactivated };
}

/** The wallets that requested transactions of the session, without the one that completed it. */
function otherWallets({ walletAddress, earlierWallets }: CheckoutSession, wallet: string): string[] {
  const all = walletAddress === null ? earlierWallets : [walletAddress, ...earlierWallets];
  return [...new Set(all)].filter((other) => other !== wallet);
}

/** Counts a completed checkout of a payment link. */
async function countCompleted(tx: DbTransaction, id: string): Promise<void> {
  await tx.paymentLink.updateMany({ where: { id }, data: { completedCount: { increment: 1 } } });
}

async function recordCreated(
  tx: DbTransaction,
  {
    id: sessionId,
    customerEmail,
    customerId,
    plan,
    discount,
    ...session
  }: CheckoutSession & { readonly plan: Plan; readonly discount: AgreedDiscount | null },
  { id, merchantId, environment, address, chainCreatedAt, walletAddress }: Subscription,
  { at, signature }: { readonly at: Date; readonly signature: string },
): Promise<void> {
  await recordEvent(tx, {
    id: derivedId(chainCreatedAt, 'created', environment, address, chainCreatedAt, signature, sessionId),
    merchantId,
    environment,
    subscriptionId: id,
    at,
    type: 'subscription.created',
    data: {
      sessionId,
      subscriptionId: address,
      customer: { email: customerEmail, customerId, walletAddress },
      plan: {
        planId: plan.planId,
        planName: plan.name,
        amount: String(plan.amount),
        interval: String(plan.intervalSeconds),
      },
      ...(discount && {
        discount: {
          discountId: discount.discountId,
          name: discount.name,
          percentBps: discount.percentBps,
          amount: discount.amount === null ? null : String(discount.amount),
          periods: discount.periods,
        },
      }),
      metadata: metadataOf(session),
    },
  });
}
