import type { Signature } from '@solana/kit';
import { describe, expect, it, vi } from 'vitest';
import type { AppContext } from '../../src/app.ts';
import { signatureOutcomes } from '../../src/chain/rpc/signature-outcomes.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { SOON } from '../support/soon.ts';
import { type Crash, Crashed, crashingContext } from './crashing-context.ts';
import { suspendAt } from './suspend-at.ts';
import { HOUR, PRICE, type Subscriber, startWorld } from './world.ts';

/** A little more than a claim lasts. */
const CLAIM_SECONDS = 61;
/** A step towards the next attempt of delayed payments. */
const RETRY_SECONDS = 10;
/** A blockhash is then valid for 15 seconds: long enough for a busy machine. */
const SLOT_MS = 100;

const collectWhatIsDue = (ctx: AppContext) => collectDue(ctx, 'TEST');

const world = await sharedByFile(startWorld({ workers: false, slotMs: SLOT_MS }));
const planId = await world.plan({ interval: HOUR });
/** Three customers, whose payments share a transaction. */
const customers = await Promise.all([0, 1, 2].map(() => world.subscriber(planId, { payments: 1_000 })));
await recover();

/**
 * Does the work of the running processes until nothing is due: lets claims expire, collects due
 * payments and follows transactions. Moves the time until delayed payments and retries are due.
 */
async function recover(): Promise<void> {
  await world.jump(CLAIM_SECONDS);
  await collectWhatIsDue(world.ctx);
  await vi.waitFor(async () => {
    await followTransactions(world.ctx, 'TEST');
    await collectWhatIsDue(world.ctx);
    const { db, clock } = world.ctx;
    const now = clock.now();
    const open = await db.transferTransaction.count({ where: { status: 'SUBMITTED' } });
    const due = await db.subscription.findMany({ where: { nextPaymentAt: { lte: now } } });
    if (open + due.length === 0) return;
    const areDelayed = due.every(({ nextAttemptAt }) => nextAttemptAt && nextAttemptAt > now);
    if (open === 0 && areDelayed) await world.jump(RETRY_SECONDS);
    throw new Error(`${open} transactions are open, ${due.length} payments due`);
  }, SOON);
}

async function untilAllAreDue(): Promise<void> {
  const { db, clock } = world.ctx;
  const last = await db.subscription.findFirstOrThrow({ orderBy: { nextAttemptAt: 'desc' } });
  await world.jump(((last.nextAttemptAt?.getTime() ?? 0) - clock.now().getTime()) / 1000 + 1);
  await world.mirrored();
}

/** Counts the payments in the books, in the events, and by the tokens taken from each wallet. */
async function countPayments() {
  const { db } = world.ctx;
  const booked = await db.payment.count({ where: { status: 'SUCCEEDED' } });
  const events = await db.event.count({ where: { type: 'subscription.payment_succeeded' } });
  const balances = await Promise.all(customers.map(({ wallet }) => world.tokensOf(wallet.address)));
  const taken = balances.map((tokens) => Number((1_000n * PRICE - tokens) / PRICE));
  return { booked, events, taken };
}

/**
 * Every crash of a process that makes that many calls: before each call, and after the last one. A
 * crash after any other call has the same effect as one before the next call.
 */
function crashesOf(calls: number): Crash[] {
  const before = Array.from({ length: calls }, (_, index): Crash => ({ at: index + 1, when: 'before' }));
  return [...before, { at: calls, when: 'after' }];
}
const NEVER: Crash = { at: Number.POSITIVE_INFINITY, when: 'before' };

/** Crashes the process at every call in turn. Returns the number of calls without a crash. */
async function crashAtEveryCall(work: (ctx: AppContext) => Promise<void>): Promise<number> {
  const crashOnce = async (crash: Crash) => {
    const before = await countPayments();
    await untilAllAreDue();
    const process = crashingContext(world.ctx, crash);
    await work(process.ctx).catch((error: unknown) => {
      if (!(error instanceof Crashed)) throw error;
    });
    await recover();
    const count = before.booked + customers.length;
    const taken = before.taken.map((payments) => payments + 1);
    expect(await countPayments(), `crashed ${crash.when} call ${crash.at}`).toEqual({
      booked: count,
      events: count,
      taken,
    });
    return process.calls();
  };
  const calls = await crashOnce(NEVER);
  for (const crash of crashesOf(calls)) await crashOnce(crash);
  return calls;
}

it('a process that crashes while it collects causes exactly one payment', async () => {
  const calls = await crashAtEveryCall(collectWhatIsDue);
  expect(calls).toBeGreaterThanOrEqual(15);
});

it('a process that crashes after it sent causes exactly one payment', async () => {
  const calls = await crashAtEveryCall(async (ctx) => {
    await collectWhatIsDue(world.ctx);
    await followTransactions(ctx, 'TEST');
  });
  expect(calls).toBeGreaterThanOrEqual(3);
});

describe('a process that crashes beside one failed pull of three', () => {
  /**
   * Collects while the first customer has the money, and lets the transaction land when it has
   * none. Returns its balance before.
   */
  async function failForFirst(): Promise<bigint> {
    const [first] = customers as [Subscriber];
    const { ctx, reached, release } = suspendAt(world.ctx, 'sendTransaction');
    const collecting = collectWhatIsDue(ctx);
    await reached(collecting);
    const balance = await world.tokensOf(first.wallet.address);
    await first.setBalance(0n);
    await world.until('the wallet is empty', async () => (await world.tokensOf(first.wallet.address)) === 0n);
    release();
    await collecting;
    await world.until('the transaction has landed', async () => {
      const sent = await world.ctx.db.transferTransaction.findMany({ where: { status: 'SUBMITTED' } });
      const outcomes = await signatureOutcomes(
        world.chain,
        sent.map(({ signature }) => signature as Signature),
      );
      return [...outcomes.values()].every(
        (outcome) => outcome.state === 'landed' && outcome.commitment !== 'processed',
      );
    });
    return balance;
  }

  const countFailures = () => world.ctx.db.event.count({ where: { type: 'subscription.payment_failed' } });

  async function crashAt(crash: Crash): Promise<number> {
    const [first] = customers as [Subscriber];
    const before = await countPayments();
    const failedBefore = await countFailures();
    await untilAllAreDue();
    const balance = await failForFirst();
    const process = crashingContext(world.ctx, crash);
    await followTransactions(process.ctx, 'TEST').catch((error: unknown) => {
      if (!(error instanceof Crashed)) throw error;
    });
    // Before the balance is restored: no failure counts for a payer who has the money by then.
    await followTransactions(world.ctx, 'TEST');
    await first.setBalance(balance);
    await recover();
    const label = `crashed ${crash.when} call ${crash.at}`;
    const count = before.booked + customers.length;
    const taken = before.taken.map((payments) => payments + 1);
    expect(await countPayments(), label).toEqual({ booked: count, events: count, taken });
    expect(await countFailures(), label).toBe(failedBefore + 1);
    return process.calls();
  }

  it('charges everybody once and counts one failure, wherever it crashes', async () => {
    const calls = await crashAt(NEVER);
    expect(calls).toBeGreaterThanOrEqual(8);
    for (const crash of crashesOf(calls)) await crashAt(crash);
  });
});
