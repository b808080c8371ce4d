import { expect, test } from 'vitest';
import { compareLedger } from '../../src/domain/reconcile/compare-ledger.ts';
import { PRICE } from '../domain/world.ts';
import { startIndexerWorld } from './world.ts';

async function paidOnce() {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const plan = await world.activePlan();
  const wallet = await world.subscribeAndVanish(plan);
  await world.subscriptionIs(plan, wallet, 'ACTIVE');
  const signature = await world.pullByMerchant(plan, wallet);
  await world.eventually(async () => expect(await world.db.payment.count()).toBe(1));
  await world.caughtUp();
  await indexer.close();
  return { ...world, signature };
}

test('a transfer that stands in the ledger and on no payment is booked', async () => {
  const { db, ctx } = await paidOnce();
  // As a process leaves it that dies between the two.
  await db.chainTransfer.updateMany({ data: { paymentId: null } });
  await db.payment.deleteMany();
  expect(await compareLedger(ctx, 'TEST', 0n)).toEqual([]);
  expect(await db.payment.findMany()).toMatchObject([{ amount: PRICE, status: 'SUCCEEDED' }]);
});

test('a payment that is not what its transfers are is told of, and left alone', async () => {
  const { db, ctx, signature } = await paidOnce();
  expect(await compareLedger(ctx, 'TEST', 0n)).toEqual([]);
  await db.payment.updateMany({ data: { amount: PRICE + 1n } });
  expect(await compareLedger(ctx, 'TEST', 0n)).toMatchObject([
    { booked: PRICE + 1n, transferred: PRICE, signatures: [signature] },
  ]);
  expect(await db.payment.findMany()).toMatchObject([{ amount: PRICE + 1n }]);
  const [transfer] = await db.chainTransfer.findMany();
  expect(await compareLedger(ctx, 'TEST', transfer?.slot ?? 0n)).toEqual([]);
});
