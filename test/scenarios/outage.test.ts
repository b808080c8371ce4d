import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MethodFaultSettings } from '../../localnet/faults.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { counterRegistry } from '../../src/observability/metrics/counters.ts';
import { paymentsWaiting } from '../../src/operations/work-waiting.ts';
import { DAY, PRICE, type Subscriber, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/**
 * All RPC methods of dues except the time, which comes from its own machine without a local
 * network.
 */
const METHODS = [
  ...['getMultipleAccounts', 'getProgramAccounts', 'getBalance', 'getLatestBlockhash', 'sendTransaction'],
  ...['getSignatureStatuses', 'getEpochInfo', 'getTransaction', 'getSignaturesForAddress', 'getSlot'],
];
const setRpcDown = (down: boolean) => {
  const fault: MethodFaultSettings = { fault: 'server-error', times: down ? 1_000_000 : 0 };
  world.setFaults({ methods: Object.fromEntries(METHODS.map((method) => [method, fault])) });
};

const troubles = () => world.logged.filter(({ msg }) => msg === 'collection failed: will be retried').length;

/** No change is visible from outside since the first payment. */
async function untouched({ id, state }: Subscriber): Promise<void> {
  expect(await state()).toEqual({ state: 'active', failureCount: 0 });
  expect(world.receivedEvents(id)).toEqual(['created', 'payment_succeeded']);
}

describe('a collection that fails for a reason that is not the customer', () => {
  it('because no node answers for ten minutes changes nothing, and is repeated', async () => {
    const customer = await world.renewing();
    setRpcDown(true);
    await world.jump(DAY);
    for (let minutes = 0; minutes < 10; minutes += 5) {
      const before = troubles();
      await world.jump(5 * 60);
      await world.until('it was tried again', () => troubles() > before);
    }
    await untouched(customer);
    setRpcDown(false);
    await world.travel(10);
    expect(world.receivedEvents(customer.id)).toEqual(['created', 'payment_succeeded', 'payment_succeeded']);
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });

  it('because the collector cannot pay the fee changes nothing, raises an alert, and is repeated', async () => {
    const customer = await world.renewing();
    world.fund(world.chain.collector.address, 0n);
    await world.jump(DAY);
    await world.until('somebody is alerted', () => troubles() > 0);
    await untouched(customer);
    // It is delayed repeatedly, but its due date does not change.
    await world.jump(5 * 60);
    const before = troubles();
    await world.until('it was tried again', () => troubles() > before);
    const { overdue, lagSeconds } = await paymentsWaiting(world.ctx, 'TEST');
    expect(overdue).toBeGreaterThan(0);
    expect(lagSeconds).toBeGreaterThanOrEqual(5 * 60);
    world.fund(world.chain.collector.address);
    await world.travel(10);
    expect(world.receivedEvents(customer.id)).toEqual(['created', 'payment_succeeded', 'payment_succeeded']);
  });
});

describe('a period that passed while no worker ran', () => {
  it('is not collected later, but the one after it is', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    await world.jump(2 * DAY + 60);
    await world.startWorkers();
    await world.quiet();
    expect(await world.books(customer.id)).toMatchObject([
      { status: 'SUCCEEDED', number: 1 },
      { status: 'MISSED', number: null },
      { status: 'SUCCEEDED', number: 2 },
    ]);
    const [created, paid, missed, again] = world.webhooks(customer.id);
    expect([created, paid, missed, again].map((webhook) => webhook?.event)).toEqual([
      'subscription.created',
      'subscription.payment_succeeded',
      'subscription.payment_missed',
      'subscription.payment_succeeded',
    ]);
    const [, book] = await world.books(customer.id);
    expect(missed?.data).toMatchObject({
      paymentId: book?.id,
      amount: String(PRICE),
      dueDate: book?.dueAt.toISOString(),
      planProblem: null,
    });
    expect(world.logged.filter(({ msg }) => msg.startsWith('payments missed'))).toHaveLength(1);
    // The sum of all customers of this world.
    const missedCount = await world.ctx.db.event.count({ where: { type: 'subscription.payment_missed' } });
    expect(await counterRegistry.metrics()).toContain(
      `dues_payments_missed_total{environment="TEST",reason="outage"} ${missedCount}\n`,
    );
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
    expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
    await world.travel(DAY - 60);
    expect(world.receivedEvents(customer.id)).toHaveLength(5);
  });
});

describe('a clock that is behind the chain’s', () => {
  it('at the end of a period charges nothing from the next one, which pays for itself', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    await world.jump(2 * DAY + 30);
    const behind = new Date(world.ctx.clock.now().getTime() - 5 * 60_000);
    await collectDue({ ...world.ctx, clock: { ...world.ctx.clock, now: () => behind } }, 'TEST');
    expect(await world.books(customer.id)).toMatchObject([{ number: 1 }, { status: 'DUE' }]);
    const theirs = { payment: { subscription: { address: customer.id } } };
    expect(await world.ctx.db.attempt.count({ where: theirs })).toBe(1);
    await world.jump(60);
    await world.startWorkers();
    await world.quiet();
    await world.until('the period is paid', async () => (await world.books(customer.id)).length === 3);
    await world.quiet();
    expect(await world.books(customer.id)).toMatchObject([
      { status: 'SUCCEEDED', number: 1 },
      { status: 'MISSED', number: null },
      { status: 'SUCCEEDED', number: 2 },
    ]);
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });
});
