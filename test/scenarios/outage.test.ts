import { describe, expect, it } from 'vitest';
import type { MethodFaultSettings } from '../../localnet/faults.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { counterRegistry } from '../../src/observability/metrics/counters.ts';
import { paymentsWaiting } from '../../src/operations/work-waiting.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { DAY, PRICE, type Subscriber, startWorld } from './world.ts';

const world = await sharedByFile(startWorld());

/**
 * All RPC methods that dues calls, except the one that reads the time. Outside the local network
 * the time is that of the machine.
 */
const METHODS = [
  ...['getMultipleAccounts', 'getProgramAccounts', 'getBalance', 'getLatestBlockhash', 'sendTransaction'],
  ...['getSignatureStatuses', 'getEpochInfo', 'getTransaction', 'getSignaturesForAddress', 'getSlot'],
];
const setRpcDown = (down: boolean) => {
  const fault: MethodFaultSettings = { fault: 'server-error', times: down ? 1_000_000 : 0 };
  world.setFaults({ methods: Object.fromEntries(METHODS.map((method) => [method, fault])) });
};

const countLogged = (text: string) => world.logged.filter(({ msg }) => msg.includes(text)).length;
const countFailures = () => countLogged('collection failed: will be retried');
const countUnpaid = () => countLogged('cannot pay the fees');

/** Expects that nothing visible from outside has changed since the first payment. */
async function expectUnchanged({ id, state }: Subscriber): Promise<void> {
  expect(await state()).toEqual({ state: 'active', failureCount: 0 });
  expect(world.receivedEvents(id)).toEqual(['created', 'payment_succeeded']);
}

describe('a collection that fails for a reason other than the customer', () => {
  it('because no node answers for ten minutes changes nothing, and is retried', async () => {
    const customer = await world.renewing();
    setRpcDown(true);
    await world.jump(DAY);
    for (let minutes = 0; minutes < 10; minutes += 5) {
      const before = countFailures();
      await world.jump(5 * 60);
      await world.until('the collection was retried', () => countFailures() > before);
    }
    await expectUnchanged(customer);
    setRpcDown(false);
    await world.travel(10);
    expect(world.receivedEvents(customer.id)).toEqual(['created', 'payment_succeeded', 'payment_succeeded']);
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });

  it('because the collector cannot pay the fee changes nothing, and is retried', async () => {
    const customer = await world.renewing();
    world.fund(world.chain.collector.address, 0n);
    await world.jump(DAY);
    await world.until('an alert is logged', () => countUnpaid() > 0);
    await expectUnchanged(customer);
    // It is delayed repeatedly, but its due date does not change.
    await world.jump(5 * 60);
    const before = countUnpaid();
    await world.until('the collection was retried', () => countUnpaid() > before);
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
    // Until the indexer has read the whole period, it is undecided, and the next one is collected first.
    await world.mirrored();
    await world.startWorkers();
    await world.quiet();
    expect(await world.books(customer.id)).toMatchObject([
      { status: 'SUCCEEDED', number: 1 },
      { status: 'MISSED', number: null },
      { status: 'SUCCEEDED', number: 2 },
    ]);
    const [created, paid, missed, paidAgain] = world.webhooks(customer.id);
    expect([created, paid, missed, paidAgain].map((webhook) => webhook?.event)).toEqual([
      'subscription.created',
      'subscription.payment_succeeded',
      'subscription.payment_missed',
      'subscription.payment_succeeded',
    ]);
    const [, missedPayment] = await world.books(customer.id);
    expect(missed?.data).toMatchObject({
      paymentId: missedPayment?.id,
      amount: String(PRICE),
      dueDate: missedPayment?.dueAt.toISOString(),
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
  it('collects no ended period with a pull of the next one, which is then collected', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    await world.jump(2 * DAY + 30);
    const behind = new Date(world.ctx.clock.now().getTime() - 5 * 60_000);
    await collectDue({ ...world.ctx, clock: { ...world.ctx.clock, now: () => behind } }, 'TEST');
    expect(await world.books(customer.id)).toMatchObject([{ number: 1 }, { status: 'DUE' }]);
    const where = { payment: { subscription: { address: customer.id } } };
    expect(await world.ctx.db.attempt.count({ where })).toBe(1);
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
