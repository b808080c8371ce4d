import { describe, expect, it } from 'vitest';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { pullAsMerchant, subscribeUntilDue } from './merchant-pulls.ts';
import { DAY, PRICE, type Subscriber, startWorld } from './world.ts';

const world = await sharedByFile(startWorld());

async function expectPaidTwice(customer: Subscriber, parts: readonly bigint[] = [PRICE]): Promise<void> {
  await world.startWorkers();
  await world.until('the payment is settled', async () => {
    const { status } = (await world.books(customer.id))[1] ?? {};
    return status === 'SUCCEEDED';
  });
  await world.quiet();
  expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  expect(world.receivedEvents(customer.id)).toEqual([
    ...['created', 'payment_succeeded'],
    ...parts.map(() => 'payment_succeeded'),
  ]);
  const renewal = world.webhooks(customer.id).slice(2);
  expect(renewal.map(({ data }) => data.amount)).toEqual(parts.map(String));
  expect(new Set(renewal.map(({ data }) => data.paymentId)).size).toBe(1);
  expect(renewal.every(({ data }) => data.paymentNumber === 2)).toBe(true);
  expect(await world.books(customer.id)).toMatchObject([
    { status: 'SUCCEEDED', number: 1, amount: PRICE, collectedByUs: true },
    { status: 'SUCCEEDED', number: 2, amount: PRICE, collectedByUs: false },
  ]);
  await world.travel(DAY);
  expect(await world.tokensOf(customer.wallet.address)).toBe(97n * PRICE);
}

describe('a period that the merchant has collected itself', () => {
  it('is one payment with one event, and dues does not charge it again', async () => {
    const customer = await subscribeUntilDue(world);
    await pullAsMerchant(world, customer, PRICE);
    await expectPaidTwice(customer);
  });

  it('in two parts is one payment of their sum, with an event for each part', async () => {
    const customer = await subscribeUntilDue(world);
    await pullAsMerchant(world, customer, 2_000_000n);
    await pullAsMerchant(world, customer, PRICE - 2_000_000n);
    await expectPaidTwice(customer, [2_000_000n, PRICE - 2_000_000n]);
  });

  it('while the transaction of dues was in flight is not collected twice', async () => {
    const customer = await subscribeUntilDue(world);
    world.setFaults({ dropTransactions: 1_000_000 });
    await collectDue(world.ctx, 'TEST');
    world.setFaults({ dropTransactions: 0 });
    await pullAsMerchant(world, customer, PRICE);
    await expectPaidTwice(customer);
    const where = { payment: { subscription: { address: customer.id } }, status: 'VOID' as const };
    expect(await world.ctx.db.attempt.count({ where })).toBe(1);
  });

  it('while dues was down is found after the restart', async () => {
    const customer = await subscribeUntilDue(world);
    await world.stopIndexer();
    await pullAsMerchant(world, customer, PRICE);
    await collectDue(world.ctx, 'TEST');
    expect(await world.books(customer.id)).toMatchObject([{ number: 1 }, { collectedByUs: false }]);
    await world.startIndexer();
    await expectPaidTwice(customer);
  });

  it('after an unpaid period leaves the unpaid one missed', async () => {
    const customer = await world.subscriber(await world.plan(), { payments: 1 });
    await world.quiet();
    await world.travel(DAY);
    expect(await customer.state()).toEqual({ state: 'past_due', failureCount: 1 });
    await world.stopWorkers();
    await world.jump(DAY);
    await customer.setBalance(10n * PRICE);
    await pullAsMerchant(world, customer, PRICE);
    await world.until(
      'the payment is in the books',
      async () => (await world.books(customer.id)).length === 3,
    );
    // The indexer may settle it before it has seen the slots of the jump: a worker decides then.
    await world.startWorkers();
    await world.decided(customer.id);
    expect(await world.books(customer.id)).toMatchObject([
      { status: 'SUCCEEDED', number: 1 },
      { status: 'MISSED', number: null },
      { status: 'SUCCEEDED', number: 2, collectedByUs: false },
    ]);
    expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
  });
});
