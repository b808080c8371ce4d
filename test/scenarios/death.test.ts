import type { Signature } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AppContext } from '../../src/app.ts';
import { signatureOutcomes } from '../../src/chain/send.ts';
import { collectDue } from '../../src/domain/payment/collect-due.ts';
import { followTransactions } from '../../src/domain/payment/follow-transactions.ts';
import { held } from './held.ts';
import { Dead, type Death, mortal } from './mortal.ts';
import { HOUR, PRICE, type Subscriber, startWorld, type World } from './world.ts';

/** A little more than a claim lasts. */
const CLAIM_SECONDS = 61;

let world: World;
/** Three, whose payments share a transaction. */
let customers: Subscriber[];
beforeAll(async () => {
  world = await startWorld({ workers: false });
  const planId = await world.plan({ interval: HOUR });
  customers = await Promise.all([0, 1, 2].map(() => world.subscriber(planId, { payments: 1_000 })));
  await recover();
});
afterAll(() => world.close());

const collectWhatIsDue = (ctx: AppContext) => collectDue(ctx, 'TEST');

/** What the processes do that are still, or again, alive: claims run out, the due is collected, the sent is followed. */
async function recover(): Promise<void> {
  await world.jump(CLAIM_SECONDS);
  await collectWhatIsDue(world.ctx);
  await vi.waitFor(
    async () => {
      await followTransactions(world.ctx, 'TEST');
      await collectWhatIsDue(world.ctx);
      const { db, clock } = world.ctx;
      const open = await db.transferTransaction.count({ where: { status: 'SUBMITTED' } });
      const due = await db.subscription.count({ where: { nextAttemptAt: { lte: clock.now() } } });
      if (open + due > 0) throw new Error(`${open} transactions are open, ${due} payments due`);
    },
    { timeout: 20_000, interval: 20 },
  );
}

/** Payments by the books, by the events and by the tokens that left the wallets. */
async function payments() {
  const { db } = world.ctx;
  const booked = await db.payment.count({ where: { status: 'SUCCEEDED' } });
  const told = await db.event.count({ where: { type: 'subscription.payment_succeeded' } });
  const left = await Promise.all(customers.map(({ wallet }) => world.tokensOf(wallet.address)));
  const taken = left.map((tokens) => Number((1_000n * PRICE - tokens) / PRICE));
  return { booked, told, taken };
}

/** Lets the process die at every one of the calls that it makes when it lives, in turn; answers with how many. */
async function dieAtEveryCall(
  when: Death['when'],
  work: (ctx: AppContext) => Promise<void>,
): Promise<number> {
  const one = async (at: number) => {
    const before = await payments();
    // With what recovering takes, one period a round.
    await world.jump(HOUR - CLAIM_SECONDS);
    const process = mortal(world.ctx, { at, when });
    await work(process.ctx).catch((error: unknown) => {
      if (!(error instanceof Dead)) throw error;
    });
    await recover();
    const all = before.booked + customers.length;
    const taken = before.taken.map((payments) => payments + 1);
    expect(await payments(), `died ${when} call ${at}`).toEqual({ booked: all, told: all, taken });
    return process.calls();
  };
  const calls = await one(Number.POSITIVE_INFINITY);
  for (let at = 1; at <= calls; at++) await one(at);
  return calls;
}

describe('a process that dies while it collects leads to exactly one payment', () => {
  it.each(['before', 'after'] as const)(
    '%s every single call that it makes',
    async (when) => {
      const calls = await dieAtEveryCall(when, collectWhatIsDue);
      expect(calls).toBeGreaterThanOrEqual(15);
    },
    180_000,
  );
});

describe('a process that dies while it follows what was sent leads to exactly one payment', () => {
  it.each(['before', 'after'] as const)(
    '%s every single call that it makes',
    async (when) => {
      const calls = await dieAtEveryCall(when, async (ctx) => {
        await collectWhatIsDue(world.ctx);
        await followTransactions(ctx, 'TEST');
      });
      expect(calls).toBeGreaterThanOrEqual(3);
    },
    180_000,
  );
});

describe('a process that dies while it follows a transaction that failed for one of three', () => {
  /** Sent while the first one has the money, and landed when it has not. */
  async function failForTheFirst(): Promise<bigint> {
    const [first] = customers as [Subscriber];
    const { ctx, reached, release } = held(world.ctx, 'sendTransaction');
    const collecting = collectWhatIsDue(ctx);
    await reached;
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

  async function untilAllAreDue(): Promise<void> {
    const { db, clock } = world.ctx;
    const last = await db.subscription.findFirstOrThrow({ orderBy: { nextAttemptAt: 'desc' } });
    await world.jump(((last.nextAttemptAt?.getTime() ?? 0) - clock.now().getTime()) / 1000 + 1);
  }

  const failures = () => world.ctx.db.event.count({ where: { type: 'subscription.payment_failed' } });

  async function dieAt(death: Death): Promise<number> {
    const [first] = customers as [Subscriber];
    const before = await payments();
    const failedBefore = await failures();
    await untilAllAreDue();
    const balance = await failForTheFirst();
    const process = mortal(world.ctx, death);
    await followTransactions(process.ctx, 'TEST').catch((error: unknown) => {
      if (!(error instanceof Dead)) throw error;
    });
    await first.setBalance(balance);
    await recover();
    // Its retry comes a minute after the failure.
    await recover();
    const which = `died ${death.when} call ${death.at}`;
    const all = before.booked + customers.length;
    const taken = before.taken.map((payments) => payments + 1);
    expect(await payments(), which).toEqual({ booked: all, told: all, taken });
    expect(await failures(), which).toBe(failedBefore + 1);
    return process.calls();
  }

  it.each(['before', 'after'] as const)(
    'charges everybody once and counts one failure, %s every single call that it makes',
    async (when) => {
      const calls = await dieAt({ at: Number.POSITIVE_INFINITY, when });
      expect(calls).toBeGreaterThanOrEqual(8);
      for (let at = 1; at <= calls; at++) await dieAt({ at, when });
    },
    180_000,
  );
});
