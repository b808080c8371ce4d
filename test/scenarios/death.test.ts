import type { Signature } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AppContext } from '../../src/app.ts';
import { signatureOutcomes } from '../../src/chain/rpc/send.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { crashingContext, Dead, type Death } from './crashing-context.ts';
import { suspendAt } from './suspend-at.ts';
import { HOUR, PRICE, type Subscriber, startWorld, type World } from './world.ts';

/** A little more than a claim lasts. */
const CLAIM_SECONDS = 61;
/** A step towards the next attempt of delayed payments. */
const RETRY_SECONDS = 10;
/** A blockhash is then valid for 15 seconds: long enough for a busy machine. */
const SLOT_MS = 100;

let world: World;
/** Three, whose payments share a transaction. */
let customers: Subscriber[];
beforeAll(async () => {
  world = await startWorld({ workers: false, slotMs: SLOT_MS });
  const planId = await world.plan({ interval: HOUR });
  customers = await Promise.all([0, 1, 2].map(() => world.subscriber(planId, { payments: 1_000 })));
  await recover();
});
afterAll(() => world.close());

const collectWhatIsDue = (ctx: AppContext) => collectDue(ctx, 'TEST');

/**
 * The work of the running processes: claims expire, due payments are collected and transactions
 * followed, until nothing is due. Delayed payments and retries are awaited.
 */
async function recover(): Promise<void> {
  await world.jump(CLAIM_SECONDS);
  await collectWhatIsDue(world.ctx);
  await vi.waitFor(
    async () => {
      await followTransactions(world.ctx, 'TEST');
      await collectWhatIsDue(world.ctx);
      const { db, clock } = world.ctx;
      const now = clock.now();
      const open = await db.transferTransaction.count({ where: { status: 'SUBMITTED' } });
      const owing = await db.subscription.findMany({ where: { nextPaymentAt: { lte: now } } });
      if (open + owing.length === 0) return;
      const putOff = owing.every(({ nextAttemptAt }) => nextAttemptAt && nextAttemptAt > now);
      if (open === 0 && putOff) await world.jump(RETRY_SECONDS);
      throw new Error(`${open} transactions are open, ${owing.length} payments owed`);
    },
    { timeout: 60_000, interval: 20 },
  );
}

async function untilAllAreDue(): Promise<void> {
  const { db, clock } = world.ctx;
  const last = await db.subscription.findFirstOrThrow({ orderBy: { nextAttemptAt: 'desc' } });
  await world.jump(((last.nextAttemptAt?.getTime() ?? 0) - clock.now().getTime()) / 1000 + 1);
  await world.mirrored();
}

/** Payments by the books, by the events and by the tokens that left the wallets. */
async function payments() {
  const { db } = world.ctx;
  const booked = await db.payment.count({ where: { status: 'SUCCEEDED' } });
  const events = await db.event.count({ where: { type: 'subscription.payment_succeeded' } });
  const left = await Promise.all(customers.map(({ wallet }) => world.tokensOf(wallet.address)));
  const taken = left.map((tokens) => Number((1_000n * PRICE - tokens) / PRICE));
  return { booked, events, taken };
}

/**
 * Every death of a process that makes so many calls: before each call, and after the last one.
 * After any other call the world is as before the next one.
 */
function deathsOf(calls: number): Death[] {
  const before = Array.from({ length: calls }, (_, index): Death => ({ at: index + 1, when: 'before' }));
  return [...before, { at: calls, when: 'after' }];
}
const NEVER: Death = { at: Number.POSITIVE_INFINITY, when: 'before' };

/** Lets the process die in every way, in turn. Returns how many calls it makes when it lives. */
async function dieAtEveryCall(work: (ctx: AppContext) => Promise<void>): Promise<number> {
  const one = async (death: Death) => {
    const before = await payments();
    await untilAllAreDue();
    const process = crashingContext(world.ctx, death);
    await work(process.ctx).catch((error: unknown) => {
      if (!(error instanceof Dead)) throw error;
    });
    await recover();
    const all = before.booked + customers.length;
    const taken = before.taken.map((payments) => payments + 1);
    expect(await payments(), `died ${death.when} call ${death.at}`).toEqual({
      booked: all,
      events: all,
      taken,
    });
    return process.calls();
  };
  const calls = await one(NEVER);
  for (const death of deathsOf(calls)) await one(death);
  return calls;
}

it('a process that crashes while it collects causes exactly one payment', async () => {
  const calls = await dieAtEveryCall(collectWhatIsDue);
  expect(calls).toBeGreaterThanOrEqual(15);
}, 180_000);

it('a process that crashes while it follows a sent transaction causes exactly one payment', async () => {
  const calls = await dieAtEveryCall(async (ctx) => {
    await collectWhatIsDue(world.ctx);
    await followTransactions(ctx, 'TEST');
  });
  expect(calls).toBeGreaterThanOrEqual(3);
}, 180_000);

describe('a process that crashes while it follows a transaction in which one of three pulls failed', () => {
  /** Sent while the first one has the money, and landed when it does not. */
  async function failForTheFirst(): Promise<bigint> {
    const [first] = customers as [Subscriber];
    const { ctx, reached, release } = suspendAt(world.ctx, 'sendTransaction');
    const collecting = collectWhatIsDue(ctx);
    await reached(collecting);
    const balance = await world.tokensOf(first.wallet.address);
    await first.setBalance(0n);
    await world.until('it is empty', async () => (await world.tokensOf(first.wallet.address)) === 0n);
    release();
    await collecting;
    await world.until('the chain has refused it', async () => {
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

  const failures = () => world.ctx.db.event.count({ where: { type: 'subscription.payment_failed' } });

  async function dieAt(death: Death): Promise<number> {
    const [first] = customers as [Subscriber];
    const before = await payments();
    const failedBefore = await failures();
    await untilAllAreDue();
    const balance = await failForTheFirst();
    const process = crashingContext(world.ctx, death);
    await followTransactions(process.ctx, 'TEST').catch((error: unknown) => {
      if (!(error instanceof Dead)) throw error;
    });
    // Before the money is back: a payer that has it when the failure is judged has no failure.
    await followTransactions(world.ctx, 'TEST');
    await first.setBalance(balance);
    await recover();
    const which = `died ${death.when} call ${death.at}`;
    const all = before.booked + customers.length;
    const taken = before.taken.map((payments) => payments + 1);
    expect(await payments(), which).toEqual({ booked: all, events: all, taken });
    expect(await failures(), which).toBe(failedBefore + 1);
    return process.calls();
  }

  it('charges everybody once and counts one failure, at any call', async () => {
    const calls = await dieAt(NEVER);
    expect(calls).toBeGreaterThanOrEqual(8);
    for (const death of deathsOf(calls)) await dieAt(death);
  }, 180_000);
});
