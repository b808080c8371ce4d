import { expect, test } from 'vitest';
import { PRICE } from '../../domain/world.ts';
import { startIndexerWorld } from '../../indexer/world.ts';

test('an indexer that compares continuously settles everything once', async () => {
  const world = await startIndexerWorld();
  await world.startIndexing({ repairMs: 50 });
  const plan = await world.publishActivePlan();
  const wallet = await world.subscribeWithoutCompleting(plan);
  await world.waitForSubscription(plan, wallet, 'ACTIVE');
  const half = PRICE / 2n;
  await world.pullByMerchant(plan, wallet, half);
  await world.pullByMerchant(plan, wallet, half);
  await world.eventually(async () => {
    expect(await world.db.payment.findMany()).toMatchObject([{ amount: PRICE, number: 1 }]);
  });
  await world.onChain.cancel(wallet, plan);
  await world.waitForSubscription(plan, wallet, 'CANCELLED');
  await world.waitUntilCaughtUp();
  expect(world.messages()).not.toContain('payment differs from its transfers');
});
