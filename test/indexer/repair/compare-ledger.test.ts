import { expect, test } from 'vitest';
import { compareLedger } from '../../../src/domain/reconcile/compare-ledger.ts';
import { PRICE } from '../../domain/world.ts';
import { startIndexerWorld } from '../world.ts';

async function payOnce() {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const plan = await world.publishActivePlan();
  const wallet = await world.subscribeWithoutCompleting(plan);
  await world.waitForSubscription(plan, wallet, 'ACTIVE');
  const signature = await world.pullByMerchant(plan, wallet);
  await world.eventually(async () => expect(await world.db.payment.count()).toBe(1));
  await world.waitUntilCaughtUp();
  await indexer.close();
  return { ...world, signature };
}

test('a transfer in the ledger without a payment is not a difference, and is not changed', async () => {
  const { db, ctx } = await payOnce();
  // The state after a process crashed between the two writes.
  await db.chainTransfer.updateMany({ data: { paymentId: null } });
  await db.payment.deleteMany();
  expect(await compareLedger(ctx, 'TEST', 0n)).toEqual([]);
  expect(await db.payment.count()).toBe(0);
});

test('a payment that differs from its transfers is reported, and not changed', async () => {
  const { db, ctx, signature } = await payOnce();
  expect(await compareLedger(ctx, 'TEST', 0n)).toEqual([]);
  await db.payment.updateMany({ data: { amount: PRICE + 1n } });
  expect(await compareLedger(ctx, 'TEST', 0n)).toMatchObject([
    { booked: PRICE + 1n, transferred: PRICE, signatures: [signature] },
  ]);
  expect(await db.payment.findMany()).toMatchObject([{ amount: PRICE + 1n }]);
  const [transfer] = await db.chainTransfer.findMany();
  expect(await compareLedger(ctx, 'TEST', transfer?.slot ?? 0n)).toEqual([]);
});
