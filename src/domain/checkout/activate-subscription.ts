import { type Address, address as toAddress } from '@solana/kit';
import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../app.ts';
import { authorityAddress, tokenAccountAddress } from '../../chain/addresses.ts';
import type { Chain } from '../../chain/chain.ts';
import type { DbTransaction } from '../../db.ts';
import { type CheckoutSession, type Plan, Prisma, type Subscription } from '../../generated/prisma/client.ts';
import { recordEvent } from '../event/record-event.ts';
import { dateOf, metadataOf, unixSeconds } from '../payment/billable.ts';
import { openBooks } from '../payment/books/read-books.ts';
import { assertClockAgrees } from '../payment/clock-agrees.ts';
import { settleWaitingTransfers } from '../payment/settle-transactions.ts';
import { announceSubscriptions } from '../subscription/announce-subscriptions.ts';
import { changeLives } from '../subscription/change-lives.ts';
import { collectAgain } from '../subscription/collect-again.ts';
import { collectableWindow } from '../subscription/collectable-window.ts';
import { endSubscription, paidThrough } from '../subscription/end-subscription.ts';
import { lastChanges } from '../subscription/last-reason.ts';
import { COLLECTING } from '../subscription/status.ts';
import type { Proof } from './proof.ts';

/** A subscription that was found good on chain. */
export interface ProvenSubscription {
  readonly address: Address;
  readonly wallet: Address;
  /** Creation time on chain, unix seconds. */
  readonly createdAt: bigint;
  /** The transaction that made it, or that took it up again. */
  readonly signature: string;
  /** It was there already, and its wallet came back to it: it may be one that we know and do not collect from. */
  readonly returned?: Extract<Proof, { readonly kind: 'returned' }>;
}

export type Activation =
  | { readonly kind: 'activated'; readonly subscription: Subscription }
  /** The session has its subscription already; it may be another one. */
  | { readonly kind: 'completed_before'; readonly subscription: Subscription }
  /** The subscription is another session's, and collected from. */
  | { readonly kind: 'taken' }
  /** The wallet came back to it before it ended the last time: that says nothing of now. */
  | { readonly kind: 'outdated' };

/**
 * Completes a session with a subscription, in one database transaction: customer, subscription, its first payment due,
 * the merchant told. Earlier lives of the address are over; the same life is taken up again where its wallet came back.
 * Called again, or by two at once, it does so once.
 *
 * @param chain the session's environment's
 * @throws ClocksApart: our clock decides what is paid next, and when
 */
export async function activateSubscription(
  ctx: AppContext,
  chain: Chain,
  sessionId: string,
  proven: ProvenSubscription,
): Promise<Activation> {
  await assertClockAgrees(ctx, chain);
  const activation = await ctx.db.$transaction((tx) => activate(ctx, tx, sessionId, proven));
  if (activation.kind !== 'activated') return activation;
  const { subscription } = activation;
  await ctx.live.publish('checkout-session.updated', { sessionId });
  await announceSubscriptions(ctx, [subscription]);
  await settleWaitingTransfers(ctx, subscription.environment, subscription.address);
  return activation;
}

async function activate(
  ctx: AppContext,
  tx: DbTransaction,
  sessionId: string,
  proven: ProvenSubscription,
): Promise<Activation> {
  // The session first, then the address: two calls of one session, and two sessions of one address, take turns.
  await tx.$queryRaw(Prisma.sql`SELECT 1 FROM "CheckoutSession" WHERE "id" = ${sessionId} FOR UPDATE`);
  await tx.$executeRaw(Prisma.sql`SELECT pg_advisory_xact_lock(hashtextextended(${proven.address}, 0))`);
  const session = await tx.checkoutSession.findUniqueOrThrow({
    where: { id: sessionId },
    include: { plan: true, subscription: true },
  });
  if (session.subscription) return { kind: 'completed_before', subscription: session.subscription };
  const { environment } = session;
  const { address, createdAt: chainCreatedAt } = proven;
  const lives = await tx.subscription.findMany({ where: { environment, address } });
  if (lives.some((life) => life.chainCreatedAt > chainCreatedAt)) return { kind: 'taken' };
  const { returned } = proven;
  // An earlier life's.
  if (returned && (returned.at === null || returned.at < chainCreatedAt)) return { kind: 'outdated' };

  const now = ctx.clock.now();
  const earlier = lives.filter((life) => life.chainCreatedAt < chainCreatedAt);
  const running = earlier.filter(({ status }) => COLLECTING.includes(status)).map(({ id }) => id);
  await changeLives(tx, [...(await openBooks(tx, running)).values()], now, ({ book }, at) => {
    const accessUntil = paidThrough(book.subscription, at);
    return endSubscription(book, { reason: 'delegation_closed', accessUntil, at });
  });
  const same = lives.find((life) => life.chainCreatedAt === chainCreatedAt);
  const customerId = await customerOf(tx, session, proven.wallet, now);
  const subscription = same
    ? await takeUpAgain(tx, session, proven, same.id, customerId, now)
    : await createSubscription(tx, session, proven, customerId, now);
  if (subscription === 'taken' || subscription === 'outdated') return { kind: subscription };
  await tx.checkoutSession.update({
    where: { id: sessionId },
    data: {
      status: 'COMPLETED',
      completedAt: now,
      subscriptionId: subscription.id,
      signature: proven.signature,
      walletAddress: proven.wallet,
    },
  });
  await recordCreated(tx, session, subscription, now);
  return { kind: 'activated', subscription };
}

/**
 * The life that we know, for the customer of this session. The transaction was made to be signed after the life's newest
 * change, or it proves nothing: whoever kept one of before could undo every later end with it.
 */
async function takeUpAgain(
  tx: DbTransaction,
  session: CheckoutSession,
  { returned }: ProvenSubscription,
  id: string,
  customerId: string,
  now: Date,
): Promise<Subscription | 'taken' | 'outdated'> {
  const book = (await openBooks(tx, [id])).get(id);
  if (!book || !returned || book.subscription.closedAt) return 'taken';
  const [last, before] = await lastChanges(tx, id, 2);
  const metadata = metadataOf(session) as Prisma.InputJsonObject;
  const theirs = { customerId, metadata, cancelAtPeriodEnd: false };
  const { status } = book.subscription;
  if (status === 'CANCELLED' || status === 'EXPIRED') {
    if (returned.after === undefined || returned.after !== last?.id) return 'outdated';
    const change = { from: status, reason: 'reactivated' } as const;
    await changeLives(tx, [book], now, (_, at) => collectAgain(book, change, at) !== undefined);
  } else {
    // Whoever mirrors the chain was first to see that this very transaction took the cancellation back.
    const undidLast = returned.after !== undefined && returned.after === before?.id;
    if (!returned.resumed || last?.reason !== 'resumed_on_chain' || !undidLast) return 'taken';
  }
  return tx.subscription.update({ where: { id }, data: theirs });
}

async function createSubscription(
  tx: DbTransaction,
  session: CheckoutSession & { readonly plan: Plan },
  { address, wallet, createdAt }: ProvenSubscription,
  customerId: string,
  now: Date,
): Promise<Subscription> {
  const { plan, merchantId, environment } = session;
  const intervalSeconds = BigInt(plan.intervalSeconds);
  const trialSeconds = BigInt(plan.trialPeriodSeconds);
  const schedule = { startedAt: createdAt, intervalSeconds, trialSeconds };
  const firstPaymentAt = dateOf(collectableWindow(schedule, unixSeconds(now)).dueAt);
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
      metadata: metadataOf(session) as Prisma.InputJsonObject,
      startedAt: dateOf(createdAt),
      nextPaymentAt: firstPaymentAt,
      nextAttemptAt: firstPaymentAt,
      createdAt: now,
    },
  });
  await tx.subscriptionTransition.create({
    data: { subscriptionId: subscription.id, from: null, to: 'ACTIVE', reason: 'subscribed', at: now },
  });
  return subscription;
}

/** The customer of this email and wallet, made or found; the merchant's newest id of it counts. */
async function customerOf(
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
  if (!customer) throw new Error('A customer was neither made nor found');
  return customer.id;
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
