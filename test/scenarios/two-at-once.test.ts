import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chain } from '../../src/chain/chain.ts';
import { claimDue } from '../../src/domain/payment/claim-due.ts';
import { collectClaimed } from '../../src/domain/payment/collect-claimed.ts';
import { collectDue } from '../../src/domain/payment/collect-due.ts';
import { startWorker } from '../../workers/main.ts';
import { held } from './held.ts';
import { DAY, PRICE, type Subscriber, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe('ten subscribers who are due together', () => {
  let customers: Subscriber[];
  beforeAll(async () => {
    const planId = await world.plan();
    customers = await Promise.all(Array.from({ length: 10 }, () => world.subscriber(planId)));
    await world.quiet();
  });

  async function paid(times: number): Promise<void> {
    for (const { id, wallet } of customers) {
      expect(await world.tokensOf(wallet.address)).toBe((100n - BigInt(times)) * PRICE);
      expect(world.told(id)).toEqual(['created', ...Array(times).fill('payment_succeeded')]);
      expect((await world.books(id)).map(({ number }) => number)).toHaveLength(times);
    }
  }

  it('pay once each where two workers run', async () => {
    const second = await startWorker(world.ctx);
    await world.travel(DAY);
    await second.close();
    await paid(2);
  });

  it('pay once each where two collect from all of them in the same moment', async () => {
    await world.stopWorkers();
    await world.jump(DAY);
    await Promise.all([collectDue(world.ctx, 'TEST'), collectDue(world.ctx, 'TEST')]);
    expect(await world.ctx.db.attempt.count({ where: { status: 'SUBMITTED' } })).toBe(10);
    await world.startWorkers();
    await world.quiet();
    await paid(3);
  });
});

describe('a worker that is so slow that another one takes over', () => {
  it('does not count the same failure again', async () => {
    const { ctx, reached, release } = held(world.ctx, 'getMultipleAccounts');
    const customer = await world.subscriber(await world.plan(), { payments: 1 });
    await world.quiet();
    await world.stopWorkers();
    await world.jump(DAY);
    const slow = collectDue(ctx, 'TEST');
    await reached;
    // Longer than its claim lasts.
    await world.jump(61);
    await collectDue(world.ctx, 'TEST');
    release();
    await slow;
    expect(await customer.state()).toEqual({ state: 'past_due', failureCount: 1 });
    await world.startWorkers();
    await world.quiet();
  });

  it('does not send what it has signed too late', async () => {
    const { ctx, reached, release } = held(world.ctx, 'getLatestBlockhash');
    const customer = await world.subscriber(await world.plan());
    await world.quiet();
    await world.stopWorkers();
    await world.jump(DAY);
    const slow = collectDue(ctx, 'TEST');
    await reached;
    await world.jump(DAY);
    release();
    await slow;
    expect(await world.ctx.db.transferTransaction.count({ where: { status: 'SUBMITTED' } })).toBe(0);
    await world.startWorkers();
    await world.quiet();
    expect(await world.books(customer.id)).toMatchObject([
      { status: 'SUCCEEDED' },
      { status: 'MISSED' },
      { status: 'SUCCEEDED' },
    ]);
  });
});

describe('two batches that collect from one wallet, which has money for one', () => {
  it('cost one fee in vain, and the merchant is told of one failure as it is', async () => {
    const first = await world.subscriber(await world.plan());
    const second = await world.subscriber(await world.plan(), { wallet: first.wallet });
    await world.quiet();
    await world.stopWorkers();
    await first.setBalance(PRICE);
    await world.jump(DAY);
    const both = { address: { in: [first.id, second.id] } };
    // Longer due than everybody else in this world.
    await world.ctx.db.subscription.updateMany({ where: both, data: { nextAttemptAt: new Date(0) } });
    const { ctx, reached, release } = held(world.ctx, 'sendTransaction');
    const claims = [await claimDue(ctx, 'TEST', 1), await claimDue(ctx, 'TEST', 1)] as const;
    const slow = collectClaimed(ctx, ctx.chain.TEST as Chain, claims[0]);
    await reached;
    // Nothing of the first has landed: the wallet still has all its money.
    await collectClaimed(world.ctx, world.ctx.chain.TEST as Chain, claims[1]);
    release();
    await slow;
    await world.startWorkers();
    await world.quiet();
    const states = await Promise.all([first.state(), second.state()]);
    expect(states.map(({ state }) => state).sort()).toEqual(['active', 'past_due']);
    expect(await world.tokensOf(first.wallet.address)).toBe(0n);
    const failures = await world.ctx.db.event.findMany({
      where: { type: 'subscription.payment_failed', subscription: both },
    });
    expect(failures.map(({ data }) => data)).toMatchObject([
      {
        failureCode: 'INSUFFICIENT_FUNDS',
        amountRequired: String(PRICE),
        balanceAvailable: '0',
        failureCount: 1,
      },
    ]);
    expect(await world.ctx.db.transferTransaction.count({ where: { status: 'FAILED' } })).toBe(1);
  });
});

describe('a worker whose clock is ahead of the chain', () => {
  it('does not collect the period that is just over instead of the one that begins', async () => {
    const customer = await world.subscriber(await world.plan(), { payments: 1 });
    await world.quiet();
    await world.stopWorkers();
    await world.jump(2 * DAY - 60);
    await customer.setBalance(10n * PRICE);
    const ahead = new Date(world.ctx.clock.now().getTime() + 90_000);
    const ctx = { ...world.ctx, clock: { now: () => ahead } };
    await collectDue(ctx, 'TEST');
    const ofCustomer = { payment: { subscription: { address: customer.id } } };
    expect(await world.ctx.db.attempt.count({ where: { ...ofCustomer, status: 'SUBMITTED' } })).toBe(0);
    await world.jump(60);
    await world.startWorkers();
    // As long as the one that is ahead put it off, by its own clock.
    await world.travel(90);
    expect(await world.books(customer.id)).toMatchObject([
      { status: 'SUCCEEDED' },
      { status: 'MISSED' },
      { status: 'SUCCEEDED' },
    ]);
    expect(await world.tokensOf(customer.wallet.address)).toBe(9n * PRICE);
  });
});

describe('a checkout', () => {
  it('that is completed by two calls at once makes one subscription, and tells of it once', async () => {
    const { subscriber, approve, complete } = await world.checkout(await world.plan());
    const signature = await approve();
    await Promise.all([complete(signature), complete(signature)]);
    await world.quiet();
    expect(world.told(subscriber.id)).toEqual(['created', 'payment_succeeded']);
    expect(await world.ctx.db.subscription.count({ where: { address: subscriber.id } })).toBe(1);
  });

  it('that the indexer completes at the same time makes one subscription, and tells of it once', async () => {
    const { subscriber, approve, complete } = await world.checkout(await world.plan());
    await world.stopIndexer();
    const signature = await approve();
    await Promise.all([world.startIndexer(), complete(signature)]);
    await complete(signature);
    await world.quiet();
    expect(world.told(subscriber.id)).toEqual(['created', 'payment_succeeded']);
    expect(await world.ctx.db.subscription.count({ where: { address: subscriber.id } })).toBe(1);
  });

  it('that its app never completes is completed by the indexer', async () => {
    const { subscriber, approve } = await world.checkout(await world.plan());
    await approve();
    await world.until('it is told', () => world.told(subscriber.id).length === 2);
    expect(world.told(subscriber.id)).toEqual(['created', 'payment_succeeded']);
  });
});
