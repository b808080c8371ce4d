import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIndexer } from '../../indexer/main.ts';
import type { AppContext } from '../../src/app.ts';
import { ClocksApart } from '../../src/domain/billing/collect/clock-agrees.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { completeCheckout } from '../../src/domain/checkout/complete-checkout.ts';
import { Deliverer } from '../../src/domain/webhook/delivery/deliverer.ts';
import { ok, status } from '../../tools/webhook-receiver.ts';
import { startWorker } from '../../workers/main.ts';
import { purgeDeliveriesJob } from '../../workers/purge-deliveries.ts';
import { relayEventsJob } from '../../workers/relay-events.ts';
import { tidyPaymentsJob } from '../../workers/tidy-payments.ts';
import { DAY, HOUR, PRICE, startWorld, type World } from './world.ts';

const YEAR = 365 * DAY;
const FAR_APART = 'our clock and the cluster’s are far apart: nothing is decided until they agree';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** The context of a process whose clock differs by the current value of `off`. */
function withClock(off: { seconds: number }): AppContext {
  return {
    ...world.ctx,
    clock: { now: () => new Date(world.ctx.clock.now().getTime() + off.seconds * 1000) },
  };
}

/**
 * Runs a worker with such a clock until it has logged the alarm, and each of its jobs once more.
 */
async function workWithClock(seconds: number): Promise<void> {
  const before = countAlarms(seconds);
  const ctx = withClock({ seconds });
  const worker = await startWorker(ctx);
  await world.until('the alarm is logged', () => countAlarms(seconds) > before);
  await collectDue(ctx, 'TEST');
  await followTransactions(ctx, 'TEST');
  await tidyPaymentsJob()(ctx, {});
  await purgeDeliveriesJob(ctx, {});
  await worker.close();
  expect(countAlarms(seconds)).toBe(before + 1);
}

const countAlarms = (offSeconds: number) =>
  world.logged.filter(
    (line) =>
      line.msg === FAR_APART &&
      Math.abs((line as unknown as { aheadSeconds: number }).aheadSeconds - offSeconds) < 60,
  ).length;

describe.each([
  ['three years ahead', 3 * YEAR],
  ['a day ahead', DAY],
  ['three years behind', -3 * YEAR],
])('a worker whose clock jumps to %s', (_, offSeconds) => {
  it('decides nothing and logs an alarm; after the jump back the payment is collected once', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    await world.jump(DAY);
    await workWithClock(offSeconds);
    expect(await world.books(customer.id)).toMatchObject([{ status: 'SUCCEEDED', number: 1 }]);
    expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
    await world.startWorkers();
    await world.until('it is collected', () => world.receivedEvents(customer.id).length === 3);
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
    const [open] = await world.ctx.db.transferTransaction.findMany({ where: { status: 'SUBMITTED' } });
    await world.until('its blockhash has expired', async () => {
      const height = await world.rpc<number>('getBlockHeight', [{ commitment: 'finalized' }]);
      return BigInt(height) > (open?.lastValidBlockHeight ?? 0n);
    });
    await workWithClock(offSeconds);
    await world.startWorkers();
    await world.until('it is collected', () => world.receivedEvents(customer.id).length === 3);
    await world.quiet();
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });
});

describe('an API whose clock has jumped', () => {
  it.each([
    ['three years ahead', 3 * YEAR],
    ['three years behind', -3 * YEAR],
  ])(
    '%s completes no checkout; after the jump back it does, and the first payment is collected',
    async (_, seconds) => {
      const { subscriber, sessionId, approve } = await world.checkout(await world.plan());
      await world.stopIndexer();
      const signature = await approve();
      const input = { subscriptionPda: subscriber.id, userWallet: subscriber.wallet.address, signature };
      const completing = completeCheckout(withClock({ seconds }), sessionId, input);
      await expect(completing).rejects.toBeInstanceOf(ClocksApart);
      expect(await world.ctx.db.subscription.count({ where: { address: subscriber.id } })).toBe(0);
      await completeCheckout(world.ctx, sessionId, input);
      await world.startIndexer();
      await world.until('it is collected', () => world.receivedEvents(subscriber.id).length === 2);
      await world.quiet();
      expect(world.receivedEvents(subscriber.id)).toEqual(['created', 'payment_succeeded']);
      expect(await world.tokensOf(subscriber.wallet.address)).toBe(99n * PRICE);
    },
  );
});

describe('an indexer whose clock has jumped three years ahead', () => {
  it('sets resumptions aside; after the jump back they are collected from the current period', async () => {
    const customer = await world.renewing();
    await customer.cancel();
    await world.until('it is cancelled', async () => (await customer.state()).state === 'cancelled');
    await world.stopIndexer();
    const wrong = await startIndexer(withClock({ seconds: 3 * YEAR }));
    await customer.resume();
    await world.until('it is set aside', async () => {
      const rows = await world.ctx.db.unappliedUpdate.findMany({ where: { resolvedAt: null } });
      return rows.some(({ error }) => error.includes('ClocksApart'));
    });
    expect((await customer.state()).state).toBe('cancelled');
    await wrong.close();
    await world.startIndexer();
    await world.until('it is active again', async () => (await customer.state()).state === 'active');
    await world.travel(DAY);
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });
});

describe('webhooks of a worker whose clock has jumped three years ahead', () => {
  const endpoint = () =>
    world.ctx.db.webhookEndpoint.findFirstOrThrow({ where: { merchantId: world.scope.merchantId } });

  it('wait: none is attempted or created, and those in flight do not count', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    await world.jump(DAY);
    world.receiver.answer = status(503);
    await world.startWorkers();
    await world.until('an attempt has failed', async () => (await endpoint()).failingSince !== null);
    await world.stopWorkers();
    const before = await endpoint();
    const pending = () =>
      world.ctx.db.delivery.findMany({ where: { status: 'PENDING' }, orderBy: { id: 'asc' } });
    const waiting = await pending();
    const { length } = world.receiver.received;

    // The deliveries are due by the wrong clock, and there is a new event.
    await customer.cancel();
    await world.until('it is cancelled', async () => (await customer.state()).state === 'cancelled');
    const wrong = withClock({ seconds: 3 * YEAR });
    const deliveringByWrongClock = new Deliverer(wrong);
    await relayEventsJob(deliveringByWrongClock)(wrong, {});
    await deliveringByWrongClock.deliver((await endpoint()).id);
    await deliveringByWrongClock.close();
    expect(world.receiver.received).toHaveLength(length);
    expect(await pending()).toEqual(waiting);

    // The clock jumps before the receiver answers.
    const off = { seconds: 0 };
    await world.jump(DAY / 2);
    world.receiver.answer = (response) => {
      off.seconds = 3 * YEAR;
      status(503)(response);
    };
    const deliverer = new Deliverer(withClock(off));
    const visit = deliverer.deliver((await endpoint()).id);
    await world.until('one is attempted', () => world.receiver.received.length > length);
    await deliverer.close();
    await visit;
    expect(await endpoint()).toEqual(before);
    expect((await pending()).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual(
      waiting.map(({ nextAttemptAt }) => nextAttemptAt),
    );

    // The clock jumps back later, in the same process.
    world.receiver.answer = ok;
    await world.jump(DAY / 2);
    const worker = await startWorker(withClock(off));
    await world.until('the alarm is logged', () => countAlarms(3 * YEAR) > 0);
    off.seconds = 0;
    await world.quiet();
    await worker.close();
    expect(world.receivedEvents(customer.id)).toContain('cancelled');
    expect((await endpoint()).status).toBe('ENABLED');
    await world.startWorkers();
    expect(await pending()).toEqual([]);
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
    const ofCustomer = { payment: { subscription: { address: customer.id } } };
    expect(await world.ctx.db.attempt.count({ where: ofCustomer })).toBe(1);
    // The clock that is ahead has delayed the payment by this time.
    await world.jump(HOUR + 60);
    await world.startWorkers();
    await world.until('it is collected', () => world.receivedEvents(customer.id).length === 3);
    await world.quiet();
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });
});
