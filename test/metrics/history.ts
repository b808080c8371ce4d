/** Random histories of subscriptions, written by the rules of billing, without a chain. */

import { randomUUID } from 'node:crypto';
import type { Signature } from '@solana/kit';
import fc from 'fast-check';
import type { AppContext } from '../../src/app.ts';
import { dateOf, unixSeconds } from '../../src/chain/chain-time.ts';
import type { Book } from '../../src/domain/billing/book/book.ts';
import { scheduledAt } from '../../src/domain/billing/book/book.ts';
import { loadPayments, readBooks } from '../../src/domain/billing/book/read-books.ts';
import { writeBooks } from '../../src/domain/billing/book/write-books.ts';
import { changeSubscription } from '../../src/domain/billing/lifecycle/change-subscriptions.ts';
import { collectAgain } from '../../src/domain/billing/lifecycle/collect-again.ts';
import { endSubscription, paidThrough } from '../../src/domain/billing/lifecycle/end-subscription.ts';
import { resumeSubscription } from '../../src/domain/billing/lifecycle/resume-subscription.ts';
import { sendable } from '../../src/domain/billing/refund/find-refund.ts';
import { settleRefund } from '../../src/domain/billing/refund/settle-refund.ts';
import { failPayments } from '../../src/domain/billing/settle/fail-payments.ts';
import { periodsOfTransfer, settleTransfer } from '../../src/domain/billing/settle/settle-transfer.ts';
import type { Scope } from '../../src/domain/kernel/access/scope.ts';
import { recordEvent } from '../../src/domain/messages/event/record-event.ts';
import { FailureCode, type Plan, type Subscription } from '../../src/generated/prisma/client.ts';
import { inTransaction } from '../../src/jobs/in-transaction.ts';
import { seedPlan } from '../../tools/world/rows.ts';

const HOUR_MS = 3_600_000;
export const START = Date.UTC(2026, 0, 1);

export interface Step {
  readonly hours: number;
  readonly action: 'subscribe' | 'pay' | 'fail' | 'refund' | 'cancel' | 'resume' | 'return';
  /** Selects the plan or the subscription. */
  readonly choice: number;
}

export const histories = fc.array(
  fc.record({
    hours: fc.integer({ min: 0, max: 30 }),
    action: fc.constantFrom<Step['action']>(
      'subscribe',
      'pay',
      'fail',
      'fail',
      'refund',
      'cancel',
      'resume',
      'return',
    ),
    choice: fc.nat({ max: 99 }),
  }),
  { minLength: 10, maxLength: 40 },
);

/** Two plans of different price, interval and asset. */
export function createPlans(db: AppContext['db'], scope: Scope): Promise<Plan[]> {
  return Promise.all(
    [
      { planId: 'daily', amount: 1_000_001n, intervalSeconds: 86_400, mint: 'gold' },
      { planId: 'odd', amount: 999n, intervalSeconds: 7 * 3_600, mint: 'silver' },
    ].map((terms, index) =>
      seedPlan(db, scope, {
        ...terms,
        status: 'ACTIVE',
        chainPlanId: BigInt(index),
        chainCreatedAt: 1n,
        createdAt: new Date(START + index),
      }),
    ),
  );
}

/**
 * Applies the steps of a history, and returns the time after the last one. An impossible step, such
 * as resuming an active subscription, is skipped.
 */
export async function playHistory(
  ctx: AppContext,
  plans: readonly Plan[],
  history: readonly Step[],
): Promise<Date> {
  let nowMs = START;
  const ctxAtStep: AppContext = { ...ctx, clock: { now: () => new Date(nowMs) } };
  const ids: string[] = [];
  for (const { hours, action, choice } of history) {
    nowMs += hours * HOUR_MS + 1;
    const plan = plans[choice % plans.length] as Plan;
    if (action === 'subscribe' || ids.length === 0) ids.push(await subscribe(ctxAtStep, plan, choice));
    else await applyStep(ctxAtStep, action, ids[choice % ids.length] as string);
  }
  return new Date(nowMs);
}

async function applyStep(
  ctx: AppContext,
  action: Exclude<Step['action'], 'subscribe'>,
  id: string,
): Promise<void> {
  if (action === 'pay') return pay(ctx, id);
  if (action === 'fail') return fail(ctx, id);
  if (action === 'refund') return refund(ctx, id);
  await changeSubscription(ctx, id, ({ book }, at) => {
    if (action === 'resume') return resumeSubscription(book, at);
    if (action === 'return') return subscribeAgain(book, at);
    const accessUntil = paidThrough(book.subscription, at);
    return endSubscription(book, { reason: 'cancelled_by_merchant', accessUntil, at });
  });
}

/** Reactivates an ended subscription, as a checkout of its wallet does. */
function subscribeAgain(book: Book, at: Date): boolean {
  const { status, address, walletAddress } = book.subscription;
  if (status !== 'CANCELLED' && status !== 'EXPIRED') return false;
  collectAgain(book, { from: status, reason: 'reactivated' }, at);
  const customer = { email: 'ada@example.com', customerId: null, walletAddress };
  const plan = { planId: '', planName: '', amount: '1', interval: '' };
  const data = { sessionId: 'cs', subscriptionId: address, customer, plan, metadata: {} };
  book.recordEvent('subscription.created', data, at);
  return true;
}

/** Subscribes one of four wallets, each time as another customer. */
async function subscribe({ db, clock }: AppContext, plan: Plan, choice: number): Promise<string> {
  const { merchantId, environment, id: planId } = plan;
  const at = clock.now();
  const [address, walletAddress] = [randomUUID(), `wallet-${choice % 4}`];
  return db.$transaction(async (tx) => {
    const email = `${address}@example.com`;
    const customer = { merchantId, environment, email, walletAddress };
    const { id } = await tx.subscription.create({
      data: {
        merchantId,
        environment,
        planId,
        address,
        walletAddress,
        tokenAccount: 'tokens',
        customerId: (await tx.customer.create({ data: customer })).id,
        chainCreatedAt: unixSeconds(at),
        startedAt: dateOf(unixSeconds(at)),
        nextPaymentAt: dateOf(unixSeconds(at)),
        nextAttemptAt: dateOf(unixSeconds(at)),
        createdAt: at,
      },
    });
    const subscribed = { subscriptionId: id, from: null, to: 'ACTIVE', reason: 'subscribed', at } as const;
    await tx.subscriptionTransition.create({ data: subscribed });
    const terms = { planId: plan.planId, planName: plan.name, amount: `${plan.amount}`, interval: '' };
    const eventData = { sessionId: 'cs', subscriptionId: address, plan: terms, metadata: {} };
    await recordEvent(tx, {
      merchantId,
      environment,
      subscriptionId: id,
      at,
      type: 'subscription.created',
      data: { ...eventData, customer: { email, customerId: null, walletAddress } },
    });
    return id;
  });
}

async function pay(ctx: AppContext, id: string): Promise<void> {
  const now = ctx.clock.now();
  await inTransaction(ctx, async (tx) => {
    const books = await readBooks(tx, [id]);
    const load = (periodStarts: readonly bigint[]) =>
      loadPayments(
        tx,
        books,
        periodStarts.map((periodStart) => ({ subscriptionId: id, periodStart })),
      );
    for (const book of books.values()) {
      const { subscription } = book;
      const periodStart = periodOf(subscription, now);
      await load([periodStart]);
      const { amount, address: plan } = subscription.plan;
      const transfer = { signature: randomUUID(), index: 0, slot: 1n, at: now, plan, puller: null, amount };
      const observed = { ...transfer, subscription: subscription.address, periodStart };
      const { skipped } = periodsOfTransfer(book, observed);
      await load(skipped.map((period) => period.periodStart));
      settleTransfer(book, observed, {
        now,
        collectors: [],
        feeLamports: null,
        ledger: { isComplete: () => true },
      });
    }
    await writeBooks(tx, books.values(), now);
  });
}

/** Fails the payment of the current period, if it is due. */
async function fail(ctx: AppContext, subscriptionId: string): Promise<void> {
  const now = ctx.clock.now();
  const { plan, ...subscription } = await ctx.db.subscription.findUniqueOrThrow({
    where: { id: subscriptionId },
    include: { plan: true },
  });
  const periodStart = periodOf({ ...subscription, plan }, now);
  const { merchantId, environment } = subscription;
  const payment = await ctx.db.payment.upsert({
    where: { subscriptionId_periodStart_ordinal: { subscriptionId, ...scheduledAt(periodStart) } },
    create: {
      merchantId,
      environment,
      subscriptionId,
      periodStart,
      amount: plan.amount,
      dueAt: dateOf(periodStart),
      createdAt: now,
    },
    update: {},
  });
  if (payment.status !== 'DUE') return;
  const claimedUntil = new Date(now.getTime() + HOUR_MS);
  await ctx.db.subscription.update({ where: { id: subscriptionId }, data: { claimedUntil } });
  // Each step is one millisecond later, so that every reason is used.
  const code = Object.values(FailureCode)[now.getTime() % 4] ?? 'INSUFFICIENT_FUNDS';
  const failure = { code, balanceAvailable: 0n };
  await failPayments(ctx, [{ subscriptionId, ...scheduledAt(periodStart), claimedUntil, failure }]);
}

/** Refunds a third of the newest payment, by a transfer that is final now. */
export async function refund(ctx: AppContext, subscriptionId: string): Promise<void> {
  const now = ctx.clock.now();
  const payment = await ctx.db.payment.findFirst({
    where: { subscriptionId, status: 'SUCCEEDED' },
    orderBy: { periodStart: 'desc' },
  });
  if (!payment) return;
  const { id: paymentId, merchantId, environment, amount } = payment;
  const created = await ctx.db.refund.create({
    data: {
      merchantId,
      environment,
      paymentId,
      amount: amount / 3n,
      reference: randomUUID(),
      createdAt: now,
      requestedAt: now,
      expiresAt: now,
    },
    ...sendable,
  });
  const transaction = { signature: `${randomUUID()}` as Signature, slot: 1n, blockTime: unixSeconds(now) };
  await settleRefund(ctx, created, { index: 0, amount: created.amount, transaction });
}

function periodOf(
  {
    chainCreatedAt,
    plan,
  }: Pick<Subscription, 'chainCreatedAt'> & { readonly plan: Pick<Plan, 'intervalSeconds'> },
  now: Date,
): bigint {
  const interval = BigInt(plan.intervalSeconds);
  return chainCreatedAt + ((unixSeconds(now) - chainCreatedAt) / interval) * interval;
}
