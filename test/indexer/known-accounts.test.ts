import { address } from '@solana/kit';
import { expect, test } from 'vitest';
import { authorityAddress } from '../../src/chain/addresses.ts';
import { PRICE } from '../domain/world.ts';
import { startIndexerWorld } from './world.ts';

test('an authority that nobody had found out is found out, and kept', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const plan = await world.activePlan();
  const wallet = await world.subscribeAndVanish(plan);
  const { id } = await world.subscriptionIs(plan, wallet, 'ACTIVE');
  await world.caughtUp();
  await indexer.close();
  await world.db.subscription.update({ where: { id }, data: { authority: null } });
  await world.startIndexing({ reconcileMs: 50 });
  const authority = await authorityAddress(wallet.address, address(plan.mint));
  await world.eventually(async () => {
    expect((await world.db.subscription.findUniqueOrThrow({ where: { id } })).authority).toBe(authority);
  });
  expect((await world.subscriptionIs(plan, wallet, 'ACTIVE')).id).toBe(id);
});

test('a transfer that a stream never showed, before the indexer was started again, is found by the timer', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing({ reconcileMs: 50 });
  const plan = await world.activePlan();
  const wallet = await world.subscribeAndVanish(plan);
  await world.subscriptionIs(plan, wallet, 'ACTIVE');
  const where = { environment: 'TEST' } as const;
  await world.eventually(async () => {
    expect((await world.db.streamPosition.findUniqueOrThrow({ where })).reconciledSlot).not.toBeNull();
  });
  await indexer.close();
  await world.pullByMerchant(plan, wallet);
  // Longer ago than what a start looks at again, and the position is past it, as if every block had been shown.
  for (let block = 0; block < 400; block += 1) world.network.tick();
  const slot = BigInt(world.network.slot('confirmed'));
  await world.db.streamPosition.update({ where, data: { slot } });
  const second = await world.startIndexing();
  await world.caughtUp();
  expect(await world.db.payment.count()).toBe(0);
  await second.close();
  await world.startIndexing({ reconcileMs: 50 });
  await world.eventually(async () => {
    expect(await world.db.payment.findMany()).toMatchObject([{ amount: PRICE, number: 1 }]);
  });
});
