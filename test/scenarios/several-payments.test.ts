import { beforeEach, describe, expect, it } from 'vitest';
import { checkRows } from '../../src/domain/maintenance/books-check/rows/check-rows.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { addExtra as addExtraTo, changePrice, subscribeUntilDue } from './merchant-pulls.ts';
import { DAY, PRICE, type Subscriber, startWorld } from './world.ts';

/** Less than half of the limit, which is PRICE. */
const PART = (PRICE * 2n) / 5n;

const world = await sharedByFile(startWorld());

let customer: Subscriber;
beforeEach(async () => {
  await Promise.all([world.startIndexer(), world.startWorkers()]);
  customer = await subscribeUntilDue(world);
  await changePrice(world, customer, PART);
});

const addExtra = (amount: bigint) => addExtraTo(world, customer, amount);
const payments = async () =>
  (await world.books(customer.id)).map(({ ordinal, status, amount, paidAmount }) => ({
    ordinal,
    status,
    amount,
    paidAmount,
  }));
const FIRST = { ordinal: 0, status: 'SUCCEEDED', amount: PRICE, paidAmount: PRICE };
const SECOND = { ordinal: 0, status: 'SUCCEEDED', amount: PART, paidAmount: PART };

async function expectCharged(amount: bigint): Promise<void> {
  await world.blocks(2);
  expect(await world.tokensOf(customer.wallet.address)).toBe(100n * PRICE - amount);
  const wrong = await checkRows(world.ctx, { environment: 'TEST', merchantId: world.scope.merchantId });
  expect(wrong).toEqual([]);
}

describe('a second payment of a period', () => {
  it('is collected once, after the first one, and the next period has one again', async () => {
    await addExtra(PART);
    await world.startWorkers();
    await world.quiet();
    const extra = { ordinal: 1, status: 'SUCCEEDED', amount: PART, paidAmount: PART };
    expect(await payments()).toEqual([FIRST, SECOND, extra]);
    await expectCharged(PRICE + 2n * PART);
    const succeeded = world.webhooks(customer.id).filter(({ event }) => event.endsWith('payment_succeeded'));
    expect(succeeded.map(({ data: { kind, paymentNumber } }) => [kind, paymentNumber])).toEqual([
      ['PERIOD', 1],
      ['PERIOD', 2],
      ['EXTRA', 3],
    ]);
    await world.travel(DAY);
    expect((await payments()).slice(3)).toEqual([SECOND]);
    await expectCharged(PRICE + 3n * PART);
  });

  it('that comes after the first one was collected is collected before the next is due', async () => {
    await world.startWorkers();
    await world.quiet();
    await addExtra(PART);
    await world.quiet();
    expect((await payments()).map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
    await expectCharged(PRICE + 2n * PART);
  });

  it('that does not fit into the limit is collected in part', async () => {
    await addExtra(PRICE);
    await world.startWorkers();
    await world.quiet();
    const cut = { ordinal: 1, status: 'SUCCEEDED', amount: PRICE, paidAmount: PRICE - PART };
    expect(await payments()).toEqual([FIRST, SECOND, cut]);
    await expectCharged(2n * PRICE);
    await world.travel(DAY);
    await expectCharged(2n * PRICE + PART);
  });

  it('fails without a change of the status if the payer cannot pay it', async () => {
    await customer.setBalance(PART);
    await addExtra(PART);
    await world.startWorkers();
    await world.quiet();
    expect((await payments()).map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'FAILED']);
    expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
    await customer.setBalance(PART);
    await world.travel(DAY);
    expect((await payments()).at(-1)).toEqual(SECOND);
  });

  it('is missed if its period ends first', async () => {
    await addExtra(PART);
    await world.jump(DAY);
    await world.startWorkers();
    await world.quiet();
    await world.until('every payment of the period is decided', async () =>
      (await payments()).every(({ status }) => status !== 'DUE'),
    );
    expect((await payments()).map(({ status }) => status)).toEqual([
      ...['SUCCEEDED', 'MISSED', 'MISSED'],
      'SUCCEEDED',
    ]);
    await expectCharged(PRICE + PART);
  });
});
