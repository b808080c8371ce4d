import { describe, expect, it } from 'vitest';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { cancelSubscription } from '../../src/domain/billing/lifecycle/cancel-subscription.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { DAY, HOUR, PRICE, type Subscriber, startWorld } from './world.ts';

const world = await sharedByFile(startWorld());

async function readAttempts({ id: address }: Subscriber) {
  const rows = await world.ctx.db.attempt.findMany({
    where: { payment: { subscription: { address } } },
    include: { transaction: true },
    orderBy: { createdAt: 'asc' },
  });
  // The first attempt is that of the first period.
  return rows.slice(1).map(({ status, transaction }) => `${status} ${transaction?.status}`);
}

async function expectPaidTwice(customer: Subscriber): Promise<void> {
  expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  expect(world.receivedEvents(customer.id)).toEqual(['created', 'payment_succeeded', 'payment_succeeded']);
  expect(await world.books(customer.id)).toMatchObject([
    { status: 'SUCCEEDED', number: 1 },
    { status: 'SUCCEEDED', number: 2 },
  ]);
}

describe('a transaction', () => {
  it('that was lost in flight is resent and lands', async () => {
    const customer = await world.renewing();
    world.setFaults({ dropTransactions: 1_000_000 });
    await world.jump(DAY);
    await world.until('the transaction was sent', async () => (await readAttempts(customer)).length === 1);
    world.setFaults({ dropTransactions: 0 });
    await world.quiet();
    await expectPaidTwice(customer);
    expect(await readAttempts(customer)).toEqual(['SUCCEEDED LANDED']);
  });

  it('that is lost is void once its blockhash has expired, and another one collects', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    world.setFaults({ dropTransactions: 1_000_000 });
    await world.jump(DAY);
    await collectDue(world.ctx, 'TEST');
    expect(await readAttempts(customer)).toEqual(['SUBMITTED SUBMITTED']);
    await world.jump(60);
    world.setFaults({ dropTransactions: 0 });
    await world.startWorkers();
    await world.until('another transaction is sent', async () => (await readAttempts(customer)).length === 2);
    await world.quiet();
    await expectPaidTwice(customer);
    expect(await readAttempts(customer)).toEqual(['VOID EXPIRED', 'SUCCEEDED LANDED']);
  });

  it('that landed although the node closed the connection is settled once', async () => {
    const customer = await world.renewing();
    world.setFaults({ methods: { sendTransaction: { fault: 'disconnect', times: 8, when: 'after' } } });
    await world.travel(DAY);
    world.setFaults({ methods: { sendTransaction: { fault: 'disconnect', times: 0 } } });
    await expectPaidTwice(customer);
    expect(await readAttempts(customer)).toEqual(['SUCCEEDED LANDED']);
  });

  it('that lands late does not become two payments', async () => {
    const customer = await world.renewing();
    // It lands just before its blockhash expires, and is resent until then.
    world.setFaults({ delayLandingSlots: 120 });
    await world.travel(DAY);
    await world.until(
      'the transaction has landed',
      async () => (await world.books(customer.id)).length === 2,
    );
    world.setFaults({ delayLandingSlots: 0 });
    await world.quiet();
    await expectPaidTwice(customer);
  });

  it('that landed while all of dues was down is settled once after the restart', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    await world.jump(DAY);
    await world.stopIndexer();
    await collectDue(world.ctx, 'TEST');
    expect(await readAttempts(customer)).toEqual(['SUBMITTED SUBMITTED']);
    await world.jump(HOUR);
    await Promise.all([world.startIndexer(), world.startWorkers()]);
    await world.quiet();
    await expectPaidTwice(customer);
    expect(await readAttempts(customer)).toEqual(['SUCCEEDED LANDED']);
  });

  it('that lands after a cancellation gives access for the period that it paid', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    await world.jump(DAY);
    world.setFaults({ dropTransactions: 1_000_000 });
    await collectDue(world.ctx, 'TEST');
    const readRow = () => world.ctx.db.subscription.findFirstOrThrow({ where: { address: customer.id } });
    await cancelSubscription(world.ctx, world.scope, { subscription: customer.id, when: 'NOW' });
    const { nextPaymentAt, accessUntil } = await readRow();
    expect(accessUntil?.getTime()).toBeLessThan(nextPaymentAt.getTime() + 60_000);
    world.setFaults({ dropTransactions: 0 });
    await world.startWorkers();
    await world.quiet();
    await world.until('the payment is settled', async () => (await readRow()).paymentCount === 2);
    await world.quiet();
    // The reported next date is then the end of the paid period.
    const paidUntil = new Date(nextPaymentAt.getTime() + DAY * 1000);
    expect(world.webhooks(customer.id).at(-1)?.data).toMatchObject({
      paymentNumber: 2,
      nextPaymentDate: paidUntil.toISOString(),
    });
    expect(await readRow()).toMatchObject({
      status: 'CANCELLED',
      accessUntil: new Date(nextPaymentAt.getTime() + DAY * 1000),
      nextAttemptAt: null,
    });
  });
});
