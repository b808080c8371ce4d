import { type Address, address as toAddress } from '@solana/kit';
import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../../app.ts';
import { authorityAddress, tokenAccountAddress } from '../../../chain/accounts/addresses.ts';
import type { Chain } from '../../../chain/chain.ts';
import { dateOf, unixSeconds } from '../../../chain/chain-time.ts';
import type { DbTransaction } from '../../../db/db.ts';
import {
  type CheckoutSession,
  type Plan,
  Prisma,
  type Subscription,
} from '../../../generated/prisma/client.ts';
import { afterCommit, inTransaction } from '../../../jobs/in-transaction.ts';
import { readBooks } from '../../billing/book/read-books.ts';
import { COLLECTING } from '../../billing/book/status.ts';
import { recordSubscribed } from '../../billing/book/transition.ts';
import { changeBooks } from '../../billing/lifecycle/change-subscriptions.ts';
import { collectAgain } from '../../billing/lifecycle/collect-again.ts';
import { endSubscription, paidThrough } from '../../billing/lifecycle/end-subscription.ts';
import { lastChanges } from '../../billing/read/last-reason.ts';
import { publishSubscriptions } from '../../billing/read/publish-subscriptions.ts';
import { scheduleOf } from '../../billing/schedule/billable.ts';
import { firstUnpaid } from '../../billing/schedule/first-unpaid.ts';
import { planPayments } from '../../billing/schedule/plan-payments.ts';
import { settleTransfersAt } from '../../billing/settle/settle-transactions.ts';
import { assertClockAgrees } from '../../chain-state/clock/clock-agrees.ts';
import { recordSlot } from '../../chain-state/mirror/known-slot.ts';
import { metadataOf } from '../../kernel/input/metadata-of.ts';
import { recordEvent } from '../../messages/event/record-event.ts';
import type { Proof } from '../proof/proof.ts';

/** A subscription that was verified on chain. */
export interface ProvenSubscription {
  readonly address: Address;
  readonly wallet: Address;
  /** Creation time on chain, unix seconds. */
  readonly createdAt: bigint;
  /** The transaction that created or resumed it. */
  readonly signature: string;
  /**
   * The slot at which it was seen on chain. Its first payment may be due at once, and must not be
   * checked against an older state.
   */
  readonly slot: bigint;
  /**
   * Set if the wallet reactivated an existing subscription. dues may already have it, with a status
   * that has ended.
   */
  readonly returned?: Extract<Proof, { readonly kind: 'returned' }>;
}

export type Activation =
  | { readonly kind: 'activated'; readonly subscription: Subscription }
  /** The session already has a subscription, possibly another one. */
  | { readonly kind: 'completed_before'; readonly subscription: Subscription }
  /** The subscription belongs to another session and is collected. */
  | { readonly kind: 'taken' }
  /** The subscription has ended since the transaction was created, so it is not reactivated. */
  | { readonly kind: 'outdated' };

/**
 * Completes a checkout session with a subscription in one database transaction: the customer, the
 * subscription with its first payment due, and the event. Earlier subscriptions at the address end;
 * the same subscription is reactivated if `returned` is set. Repeated and concurrent calls have one
 * effect.
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
  const { subscription } = activation;
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
  await tx.$executeRaw(Prisma.sql`SELECT pg_advisory_xact_lock(hashtextextended(${proven.address}, 0))`);
  const session = await tx.checkoutSession.findUniqueOrThrow({
    where: { id: sessionId },
    include: { plan: true, subscription: true },
  });
  if (session.subscription) return { kind: 'completed_before', subscription: session.subscription };
  const { environment } = session;
  const { address, createdAt: chainCreatedAt } = proven;
  const knownSubscriptions = await tx.subscription.findMany({ where: { environment, address } });
  if (knownSubscriptions.some((other) => other.chainCreatedAt > chainCreatedAt)) return { kind: 'taken' };
  const { returned } = proven;
  // The proof belongs to an earlier subscription.
  if (returned && (returned.at === null || returned.at < chainCreatedAt)) return { kind: 'outdated' };

  const now = ctx.clock.now();
  const earlier = knownSubscriptions.filter((other) => other.chainCreatedAt < chainCreatedAt);
  const running = earlier.filter(({ status }) => COLLECTING.includes(status)).map(({ id }) => id);
  await changeBooks(tx, [...(await readBooks(tx, running)).values()], now, ({ book }, at) => {
    const accessUntil = paidThrough(book.subscription, at);
    return endSubscription(book, { reason: 'delegation_closed', accessUntil, at });
  });
  const existing = knownSubscriptions.find((other) => other.chainCreatedAt === chainCreatedAt);
  const customerId = await upsertCustomer(tx, session, proven.wallet, now);
  const subscription = existing
    ? await reactivate(tx, session, proven, existing.id, customerId, now)
    : await createSubscription(
        tx,
        session,
        proven,
        { customerId, isFirst: knownSubscriptions.length === 0 },
        now,
      );
  if (subscription === 'taken' || subscription === 'outdated') return { kind: subscription };
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
  await recordCreated(tx, session, subscription, await timeAfterEvents(tx, earlier, now));
  return { kind: 'activated', subscription };
}

/**
 * Reactivates a known subscription for the customer of this session. The transaction must have been
 * created after the subscription's latest change. Otherwise an old transaction could undo any later
 * end.
 */
async function reactivate(
  tx: DbTransaction,
  session: CheckoutSession,
  { returned }: ProvenSubscription,
  id: string,
  customerId: string,
  now: Date,
): Promise<Subscription | 'taken' | 'outdated'> {
  const book = (await readBooks(tx, [id])).get(id);
  if (!book || !returned || book.subscription.closedAt) return 'taken';
  const [last, before] = await lastChanges(tx, id, 2);
  const metadata = metadataOf(session) as Prisma.InputJsonObject;
  const fromSession = { customerId, metadata, cancelAtPeriodEnd: false };
  const { status } = book.subscription;
  if (status === 'CANCELLED' || status === 'EXPIRED') {
    if (returned.after === undefined || returned.after !== last?.id) return 'outdated';
    const change = { from: status, reason: 'reactivated' } as const;
    await changeBooks(tx, [book], now, (_, at) => collectAgain(book, change, at) !== undefined);
  } else {
    // The indexer may already have applied the resumption of this transaction.
    const undidLast = returned.after !== undefined && returned.after === before?.id;
    if (!returned.resumed || last?.reason !== 'resumed_on_chain' || !undidLast) return 'taken';
  }
  return tx.subscription.update({ where: { id }, data: fromSession });
}

async function createSubscription(
  tx: DbTransaction,
  session: CheckoutSession & { readonly plan: Plan },
  { address, wallet, createdAt }: ProvenSubscription,
  { customerId, isFirst }: { readonly customerId: string; readonly isFirst: boolean },
  now: Date,
): Promise<Subscription> {
  const { plan, merchantId, environment } = session;
  // The address belongs to one wallet and one plan. If it is known, the wallet has had its trial.
  const trialGranted = isFirst;
  const schedule = scheduleOf({ chainCreatedAt: createdAt, trialGranted, plan });
  const firstPaymentAt = dateOf(firstUnpaid(schedule, unixSeconds(now)).dueAt);
  const mint = toAddress(plan.mint);
  const subscription = await tx.subscription.create({
    data: {
      merchantId,
      environment,
      planId: plan.id,
      customerId,
      address,
      chainCreatedAt: createdAt,
      walletAddress: wallet,
      tokenAccount: await tokenAccountAddress(wallet, mint, toAddress(plan.tokenProgram)),
      authority: await authorityAddress(wallet, mint),
      trialGranted,
      metadata: metadataOf(session) as Prisma.InputJsonObject,
      startedAt: dateOf(createdAt),
      nextPaymentAt: firstPaymentAt,
      nextAttemptAt: firstPaymentAt,
      createdAt: now,
    },
  });
  await recordSubscribed(tx, subscription.id, now);
  const due = { environment, at: firstPaymentAt, isRetry: false };
  afterCommit(tx, (ctx) => planPayments(ctx, [due]));
  return subscription;
}

/**
 * Finds or creates the customer with this email and wallet; the merchant's latest customer id is
 * stored.
 */
async function upsertCustomer(
  tx: DbTransaction,
  { merchantId, environment, customerEmail, customerId }: CheckoutSession,
  wallet: string,
  now: Date,
): Promise<string> {
  const [customer] = await tx.$queryRaw<{ id: string }[]>(Prisma.sql`
    INSERT INTO "Customer" ("id", "merchantId", "environment", "email", "customerId", "walletAddress", "createdAt")
    VALUES (${uuidv7()}::uuid, ${merchantId}::uuid, ${environment}::"Environment", ${customerEmail}, ${customerId},
      ${wallet}, ${now})
    ON CONFLICT ("merchantId", "environment", "walletAddress", "email") DO UPDATE
      SET "customerId" = COALESCE(EXCLUDED."customerId", "Customer"."customerId")
    RETURNING "id"`);
  if (!customer) throw new Error('The customer was neither created nor found');
  return customer.id;
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

/**
 * Returns the time of the new subscription's first event: now, but after all events of the earlier
 * subscriptions at the address. The relay orders events by time, so the end of an earlier one comes
 * first for those who follow the merchant's events.
 */
async function timeAfterEvents(
  tx: DbTransaction,
  earlier: readonly Subscription[],
  now: Date,
): Promise<Date> {
  if (earlier.length === 0) return now;
  const { _max: newest } = await tx.event.aggregate({
    where: { subscriptionId: { in: earlier.map(({ id }) => id) } },
    _max: { createdAt: true },
  });
  return new Date(Math.max(now.getTime(), newest.createdAt ? newest.createdAt.getTime() + 1 : 0));
}

async function recordCreated(
  tx: DbTransaction,
  { id: sessionId, customerEmail, customerId, plan, ...session }: CheckoutSession & { readonly plan: Plan },
  { id, merchantId, environment, address, walletAddress }: Subscription,
  at: Date,
): Promise<void> {
  await recordEvent(tx, {
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
      metadata: metadataOf(session),
    },
  });
}
