import { beforeAll, describe, expect, it } from 'vitest';
import type { Chain } from '../../src/chain/chain.ts';
import { claimDue } from '../../src/domain/billing/collect/claim-due.ts';
import { collectClaimed } from '../../src/domain/billing/collect/collect-claimed.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { retryNow } from '../../src/domain/billing/collect/retry-now.ts';
import { startWorker } from '../../workers/main.ts';
import { suspendAt } from '../scenarios/suspend-at.ts';
import { DAY, HOUR, PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startWorld());

describe('ten subscriptions that are due at the same time', () => {
  let customers: Subscriber[];
  beforeAll(async () => {
    const planId = await world.plan();
    customers = await Promise.all(Array.from({ length: 10 }, () => world.subscriber(planId)));
    await world.quiet();
  });

  async function expectPaid(times: number): Promise<void> {
    for (const { id, wallet } of customers) {
      expect(await world.tokensOf(wallet.address)).toBe((100n - BigInt(times)) * PRICE);
      expect(world.receivedEvents(id)).toEqual(['created', ...Array(times).fill('payment_succeeded')]);
      expect((await world.books(id)).map(({ number }) => number)).toHaveLength(times);
    }
  }

  it('are each collected once by two workers', async () => {
    const second = await startWorker(world.ctx);
    await world.travel(DAY);
    await second.close();
    await expectPaid(2);
  });

  it('are each collected once if two workers collect all of them at the same time', async () => {
    await world.stopWorkers();
    await world.jump(DAY);
    await Promise.all([collectDue(world.ctx, 'TEST'), collectDue(world.ctx, 'TEST')]);
    expect(await world.ctx.db.attempt.count({ where: { status: 'SUBMITTED' } })).toBe(10);
    await world.startWorkers();
    await world.quiet();
    await expectPaid(3);
  });
});

describe('a worker that is so slow that its claim expires', () => {
  it('does not count the same failure again', async () => {
    const { ctx, reached, release } = suspendAt(world.ctx, 'getMultipleAccounts');
    const customer = await world.subscriber(await world.plan(), { payments: 1 });
    await world.quiet();
    await world.stopWorkers();
    await world.jump(DAY);
    const slow = collectDue(ctx, 'TEST');
    await reached(slow);
    // The claim of the suspended worker has expired.
    await world.jump(61);
    await collectDue(world.ctx, 'TEST');
    release();
    await slow;
    expect(await customer.state()).toEqual({ state: 'past_due', failureCount: 1 });
    await world.startWorkers();
    await world.quiet();
  });

  it('does not send transactions that it signed too late', async () => {
    const { ctx, reached, release } = suspendAt(world.ctx, 'getLatestBlockhash');
    const customer = await world.subscriber(await world.plan());
    await world.quiet();
    await world.stopWorkers();
    await world.jump(DAY);
    const slow = collectDue(ctx, 'TEST');
    await reached(slow);
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

it('a batch that takes longer than a claim, but moves on, is sent', async () => {
  const reading = suspendAt(world.ctx, 'getMultipleAccounts');
  const signing = suspendAt(reading.ctx, 'getLatestBlockhash');
  const customer = await world.subscriber(await world.plan());
  await world.quiet();
  await world.stopWorkers();
  await world.jump(DAY);
  const slow = collectDue(signing.ctx, 'TEST');
  for (const step of [reading, signing]) {
    await step.reached(slow);
    await world.jump(40);
    // Another worker takes nothing of it.
    await collectDue(world.ctx, 'TEST');
    step.release();
  }
  await slow;
  const payment = { subscription: { address: customer.id } };
  const submitted = await world.ctx.db.attempt.count({ where: { status: 'SUBMITTED', payment } });
  await world.startWorkers();
  await world.quiet();
  expect(submitted).toBe(1);
  expect(await world.books(customer.id)).toMatchObject([{ status: 'SUCCEEDED' }, { status: 'SUCCEEDED' }]);
});

it('is not retried with money that a claimed payment is about to take', async () => {
  const older = await world.subscriber(await world.plan());
  const { wallet } = older;
  const overdue = await world.subscriber(await world.plan({ interval: DAY - HOUR }), { wallet });
  await world.quiet();
  await world.stopWorkers();
  await overdue.setBalance(PRICE);
  await world.until('the balance is set', async () => (await world.tokensOf(wallet.address)) === PRICE);
  await world.jump(DAY);
  const { ctx, reached, release } = suspendAt(world.ctx, 'simulateTransaction');
  const collecting = collectDue(ctx, 'TEST');
  await reached(collecting);
  const { tokenAccount } = await world.ctx.db.subscription.findFirstOrThrow({
    where: { address: older.id, status: 'PAST_DUE' },
  });
  const subscriptions = [older.id, overdue.id];
  const slot = BigInt(await world.rpc<number>('getSlot', [{ commitment: 'confirmed' }]));
  const toppedUp = { tokenAccount, balance: PRICE, slot, subscriptions, isFirstLook: false };
  expect(await retryNow(world.ctx, 'TEST', toppedUp)).toEqual({ count: 0, isAttempting: true });
  release();
  await collecting;
  await world.startWorkers();
  await world.quiet();
  expect(await overdue.state()).toEqual({ state: 'active', failureCount: 0 });
  expect(await older.state()).toEqual({ state: 'past_due', failureCount: 1 });
});

describe('two batches that collect from one wallet, which has money for one', () => {
  it('cost one unnecessary fee, and record one failure with the correct amounts', async () => {
    const first = await world.subscriber(await world.plan());
    const second = await world.subscriber(await world.plan(), { wallet: first.wallet });
    await world.quiet();
    await world.stopWorkers();
    await first.setBalance(PRICE);
    await world.jump(DAY);
    const bothSubscriptions = { address: { in: [first.id, second.id] } };
    // These subscriptions are due before all others of this world.
    await world.ctx.db.subscription.updateMany({
      where: bothSubscriptions,
      data: { nextAttemptAt: new Date(0) },
    });
    const { ctx, reached, release } = suspendAt(world.ctx, 'sendTransaction');
    const claims = [await claimDue(ctx, 'TEST', 1), await claimDue(ctx, 'TEST', 1)] as const;
    const slow = collectClaimed(ctx, ctx.chain.TEST as Chain, claims[0]);
    await reached(slow);
    // No pull of the first batch has landed: the wallet still has all its money.
    await collectClaimed(world.ctx, world.ctx.chain.TEST as Chain, claims[1]);
    release();
    await slow;
    await world.startWorkers();
    await world.quiet();
    const states = await Promise.all([first.state(), second.state()]);
    expect(states.map(({ state }) => state).sort()).toEqual(['active', 'past_due']);
    expect(await world.tokensOf(first.wallet.address)).toBe(0n);
    const failures = await world.ctx.db.event.findMany({
      where: { type: 'subscription.payment_failed', subscription: bothSubscriptions },
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
  it('does not collect the period that just ended instead of the next one', async () => {
    const customer = await world.subscriber(await world.plan(), { payments: 1 });
    await world.quiet();
    await world.stopWorkers();
    await world.jump(2 * DAY - 60);
    await customer.setBalance(10n * PRICE);
    const ahead = new Date(world.ctx.clock.now().getTime() + 90_000);
    const ctx = { ...world.ctx, clock: { now: () => ahead } };
    await collectDue(ctx, 'TEST');
    const payment = { subscription: { address: customer.id } };
    expect(await world.ctx.db.attempt.count({ where: { payment, status: 'SUBMITTED' } })).toBe(0);
    await world.jump(60);
    await world.startWorkers();
    // The clock that is ahead has delayed the payment by this time.
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
  it('that two concurrent calls complete creates one subscription with one event', async () => {
    const { subscriber, approve, complete } = await world.checkout(await world.plan());
    const signature = await approve();
    await Promise.all([complete(signature), complete(signature)]);
    await world.quiet();
    expect(world.receivedEvents(subscriber.id)).toEqual(['created', 'payment_succeeded']);
    expect(await world.ctx.db.subscription.count({ where: { address: subscriber.id } })).toBe(1);
  });

  it('that the indexer completes at the same time creates one subscription', async () => {
    const { subscriber, approve, complete } = await world.checkout(await world.plan());
    await world.stopIndexer();
    const signature = await approve();
    await Promise.all([world.startIndexer(), complete(signature)]);
    await complete(signature);
    await world.quiet();
    expect(world.receivedEvents(subscriber.id)).toEqual(['created', 'payment_succeeded']);
    expect(await world.ctx.db.subscription.count({ where: { address: subscriber.id } })).toBe(1);
  });

  it('that its app never completes is completed by the indexer', async () => {
    const { subscriber, approve } = await world.checkout(await world.plan());
    await approve();
    await world.until('both webhooks have arrived', () => world.receivedEvents(subscriber.id).length === 2);
    expect(world.receivedEvents(subscriber.id)).toEqual(['created', 'payment_succeeded']);
  });

  it('for which two wallets signed is completed once, and the second is reported', async () => {
    const planId = await world.plan();
    const first = await world.checkout(planId);
    const { sessionId } = first;
    const second = await world.checkout(planId, { sessionId });
    const post = async (path: string, body: object) => {
      const response = await fetch(`${world.apiUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await response.json()) as { transactions?: string[]; transaction?: string };
    };
    const wallets = [first.subscriber.wallet, second.subscriber.wallet];
    const transactions: string[] = [];
    for (const { address: userWallet } of wallets) {
      const answer = await post(`/api/checkout/${sessionId}/transaction`, { userWallet });
      transactions.push(answer.transactions?.[0] ?? '');
    }
    const { id } = first.subscriber;
    await world.sign(first.subscriber.wallet, transactions[0] ?? '');
    await world.until('the first is subscribed', () => world.receivedEvents(id).includes('created'));
    const signature = await world.sign(second.subscriber.wallet, transactions[1] ?? '');
    const reports = () => world.webhooks(id).filter(({ event }) => event === 'checkout.subscribed_again');
    await world.until('the second is reported', () => reports().length > 0);
    await world.quiet();
    expect(reports().map(({ data }) => data)).toMatchObject([
      {
        sessionId,
        duplicateSubscriptionId: second.subscriber.id,
        duplicateWalletAddress: second.subscriber.wallet.address,
        signature,
      },
    ]);
    expect(await world.ctx.db.subscription.count({ where: { address: second.subscriber.id } })).toBe(0);
    for (const text of [second.subscriber.id, second.subscriber.wallet.address, signature]) {
      const { search } = await world.graphql<{ search: object[] }>(
        'query ($text: String!) { search(text: $text) { kind id } }',
        { text },
      );
      expect(search).toEqual([{ kind: 'CHECKOUT_SESSION', id: sessionId }]);
    }
    const path = `/api/subscriptions/${second.subscriber.id}/transaction`;
    const { transaction } = await post(path, { action: 'cancel' });
    await world.sign(second.subscriber.wallet, transaction ?? '');
    expect(await post(path, { action: 'resume' })).toMatchObject({ error: { param: 'action' } });
  });
});
