import { describe, expect, it } from 'vitest';
import { startIndexer } from '../../indexer/main.ts';
import type { AppContext } from '../../src/app.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { ClocksApart } from '../../src/domain/chain-state/clock/clock-agrees.ts';
import { completeCheckout } from '../../src/domain/checkout/completion/complete-checkout.ts';
import { Deliverer } from '../../src/domain/messages/webhook/delivery/deliverer.ts';
import { ok, status } from '../../tools/world/webhook-receiver.ts';
import { startWorker } from '../../workers/main.ts';
import { purgeRowsJob } from '../../workers/purge-rows.ts';
import { relayEventsJob } from '../../workers/relay-events.ts';
import { tidyPaymentsJob } from '../../workers/tidy-payments.ts';
import { DAY, HOUR, PRICE, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const YEAR = 365 * DAY;
const FAR_APART = 'our clock and the cluster’s are far apart: nothing is decided until they agree';

const world = await sharedByFile(startWorld());

/** The context of a process whose clock differs by the current value of `offset.seconds`. */
function withClock(offset: { seconds: number }): AppContext {
  return {
    ...world.ctx,
    clock: { now: () => new Date(world.ctx.clock.now().getTime() + offset.seconds * 1000) },
  };
}

/**
 * Runs a worker whose clock is ahead by `seconds` until it has logged the alarm, and then each of
 * its jobs once.
 */
async function workWithClock(seconds: number): Promise<void> {
  const before = countAlarms(seconds);
  const ctx = withClock({ seconds });
  const worker = await startWorker(ctx);
  await world.until('the alarm is logged', () => countAlarms(seconds) > before);
  await collectDue(ctx, 'TEST');
  await followTransactions(ctx, 'TEST');
  await tidyPaymentsJob()(ctx, {});
  await purgeRowsJob(ctx, {});
  await worker.close();
  expect(countAlarms(seconds)).toBe(before + 1);
}

const countAlarms = (offsetSeconds: number) =>
  world.logged.filter(
    (line) =>
      line.msg === FAR_APART &&
      Math.abs((line as unknown as { aheadSeconds: number }).aheadSeconds - offsetSeconds) < 60,
  ).length;

describe.each([
  ['three years ahead', 3 * YEAR],
  ['a day ahead', DAY],
  ['three years behind', -3 * YEAR],
])('a worker whose clock jumps to %s', (_, offsetSeconds) => {
  it('decides nothing, logs an alarm, and collects once after the jump back', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    await world.jump(DAY);
    await workWithClock(offsetSeconds);
    expect(await world.books(customer.id)).toMatchObject([{ status: 'SUCCEEDED', number: 1 }]);
    expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
    await world.startWorkers();
    await world.until('the payment is collected', () => world.receivedEvents(customer.id).length === 3);
    await world.quiet();
    expect(world.receivedEvents(customer.id)).toEqual(['created', 'payment_succeeded', 'payment_succeeded']);
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });

  it('delays no payment in flight: a void attempt is due again after the jump back', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    world.setFaults({ dropTransactions: 1 });
    await world.jump(DAY);
    await collectDue(world.ctx, 'TEST');
    const [transaction] = await world.ctx.db.transferTransaction.findMany({ where: { status: 'SUBMITTED' } });
    await world.until('its blockhash has expired', async () => {
      const height = await world.rpc<number>('getBlockHeight', [{ commitment: 'finalized' }]);
      return BigInt(height) > (transaction?.lastValidBlockHeight ?? 0n);
    });
    await workWithClock(offsetSeconds);
    await world.startWorkers();
    await world.until('the payment is collected', () => world.receivedEvents(customer.id).length === 3);
    await world.quiet();
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });
});

describe('an API whose clock has jumped', () => {
  it.each([
    ['three years ahead', 3 * YEAR],
    ['three years behind', -3 * YEAR],
  ])('%s completes no checkout before the jump back', async (_, seconds) => {
    const { subscriber, sessionId, approve } = await world.checkout(await world.plan());
    await world.stopIndexer();
    const signature = await approve();
    const input = { subscriptionPda: subscriber.id, userWallet: subscriber.wallet.address, signature };
    const completing = completeCheckout(withClock({ seconds }), sessionId, input);
    await expect(completing).rejects.toBeInstanceOf(ClocksApart);
    expect(await world.ctx.db.subscription.count({ where: { address: subscriber.id } })).toBe(0);
    await completeCheckout(world.ctx, sessionId, input);
    await world.startIndexer();
    await world.until('the payment is collected', () => world.receivedEvents(subscriber.id).length === 2);
    await world.quiet();
    expect(world.receivedEvents(subscriber.id)).toEqual(['created', 'payment_succeeded']);
    expect(await world.tokensOf(subscriber.wallet.address)).toBe(99n * PRICE);
  });
});

describe('an indexer whose clock has jumped three years ahead', () => {
  it('sets resumptions aside, and collects them after the jump back', async () => {
    const customer = await world.renewing();
    await customer.cancel();
    await world.until(
      'the subscription is cancelled',
      async () => (await customer.state()).state === 'cancelled',
    );
    await world.stopIndexer();
    const aheadIndexer = await startIndexer(withClock({ seconds: 3 * YEAR }));
    await customer.resume();
    await world.until('the update is set aside', async () => {
      const rows = await world.ctx.db.unappliedUpdate.findMany({ where: { resolvedAt: null } });
      return rows.some(({ error }) => error.includes('ClocksApart'));
    });
    expect((await customer.state()).state).toBe('cancelled');
    await aheadIndexer.close();
    await world.startIndexer();
    await world.until(
      'the subscription is active again',
      async () => (await customer.state()).state === 'active',
    );
    await world.travel(DAY);
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });
});

describe('webhooks of a worker whose clock has jumped three years ahead', () => {
  const readEndpoint = () =>
    world.ctx.db.webhookEndpoint.findFirstOrThrow({ where: { merchantId: world.scope.merchantId } });

  it('wait: none is created or attempted, and failures in flight do not count', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    await world.jump(DAY);
    world.receiver.answer = status(503);
    await world.startWorkers();
    await world.until('an attempt has failed', async () => (await readEndpoint()).failingSince !== null);
    await world.stopWorkers();
    const before = await readEndpoint();
    const readPending = () =>
      world.ctx.db.delivery.findMany({ where: { status: 'PENDING' }, orderBy: { id: 'asc' } });
    const waiting = await readPending();
    const { length } = world.receiver.received;

    // The deliveries are due by the clock that is ahead, and there is a new event.
    await customer.cancel();
    await world.until(
      'the subscription is cancelled',
      async () => (await customer.state()).state === 'cancelled',
    );
    const aheadCtx = withClock({ seconds: 3 * YEAR });
    const aheadDeliverer = new Deliverer(aheadCtx);
    await relayEventsJob(aheadDeliverer)(aheadCtx, {});
    await aheadDeliverer.deliver((await readEndpoint()).id);
    await aheadDeliverer.close();
    expect(world.receiver.received).toHaveLength(length);
    expect(await readPending()).toEqual(waiting);

    // The clock jumps before the receiver answers.
    const offset = { seconds: 0 };
    await world.jump(DAY / 2);
    world.receiver.answer = (response) => {
      offset.seconds = 3 * YEAR;
      status(503)(response);
    };
    const deliverer = new Deliverer(withClock(offset));
    const delivering = deliverer.deliver((await readEndpoint()).id);
    await world.until('a delivery is attempted', () => world.receiver.received.length > length);
    await deliverer.close();
    await delivering;
    expect(await readEndpoint()).toEqual(before);
    expect((await readPending()).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual(
      waiting.map(({ nextAttemptAt }) => nextAttemptAt),
    );

    // The clock jumps back later, in the same process.
    world.receiver.answer = ok;
    await world.jump(DAY / 2);
    const worker = await startWorker(withClock(offset));
    await world.until('the alarm is logged', () => countAlarms(3 * YEAR) > 0);
    offset.seconds = 0;
    await world.quiet();
    await worker.close();
    expect(world.receivedEvents(customer.id)).toContain('cancelled');
    expect((await readEndpoint()).status).toBe('ENABLED');
    await world.startWorkers();
    expect(await readPending()).toEqual([]);
  });
});

describe('a chain whose time is behind our clock', () => {
  it('by less than an hour: payments are collected when the period has begun on chain', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    await world.jump(DAY - HOUR / 2);
    const ahead = { now: () => new Date(world.ctx.clock.now().getTime() + (HOUR / 2 + 5) * 1000) };
    await collectDue({ ...world.ctx, clock: ahead }, 'TEST');
    expect(await world.books(customer.id)).toMatchObject([{ number: 1 }, { status: 'DUE' }]);
    const where = { payment: { subscription: { address: customer.id } } };
    expect(await world.ctx.db.attempt.count({ where })).toBe(1);
    // The clock that is ahead has delayed the payment by this time.
    await world.jump(HOUR + 60);
    await world.startWorkers();
    await world.until('the payment is collected', () => world.receivedEvents(customer.id).length === 3);
    await world.quiet();
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });
});
