import { expect, onTestFinished, test } from 'vitest';
import { startIndexer } from '../../../indexer/main.ts';
import { createChain } from '../../../src/chain/create-chain.ts';
import { knownSlot } from '../../../src/domain/chain-state/mirror/known-slot.ts';
import { mirrorHealth } from '../../../src/domain/chain-state/mirror/mirror-health.ts';
import { startIndexerWorld, TIMING } from '../../indexer/world.ts';

/** A node that lags so far shows nothing new during a test. */
const LAG_SLOTS = 1_000_000;
/** About twenty minutes. */
const SLOW_SLOTS = 3_000;

test('another node is followed while the preferred one has stopped', async () => {
  const world = await startIndexerWorld('polling');
  const { config } = world.chain;
  const nodes = { rpcUrl: `${config.rpcUrl}/first`, moreRpcUrls: [`${config.rpcUrl}/second`] };
  const chain = await createChain('TEST', { ...config, ...nodes, yellowstoneUrl: undefined });
  const indexer = await startIndexer({ ...world.ctx, chain: { TEST: chain } }, ['TEST'], TIMING);
  onTestFinished(() => indexer.close());
  await world.publishActivePlan();
  world.network.faults.set({ nodes: { first: { lagSlots: LAG_SLOTS } } });
  const plan = await world.publish({ planId: 'second' });
  expect(await world.waitForPlan(plan, 'ACTIVE')).toMatchObject({ planId: 'second', status: 'ACTIVE' });
});

test('another node is followed while the preferred one is far behind and advances', async () => {
  const world = await startIndexerWorld('polling');
  world.network.faults.set({ nodes: { first: { lagSlots: SLOW_SLOTS } } });
  for (let slot = 0; slot < 2 * SLOW_SLOTS; slot += 1) world.network.tick();
  const { config } = world.chain;
  const nodes = { rpcUrl: `${config.rpcUrl}/first`, moreRpcUrls: [`${config.rpcUrl}/second`] };
  const chain = await createChain('TEST', { ...config, ...nodes, yellowstoneUrl: undefined });
  const timing = { ...TIMING, blockTimeoutMs: 600 };
  const indexer = await startIndexer({ ...world.ctx, chain: { TEST: chain } }, ['TEST'], timing);
  onTestFinished(() => indexer.close());
  await world.eventually(async () => expect(await knownSlot(world.ctx, 'TEST')).toBeGreaterThan(0n));
  const ticking = setInterval(() => world.network.tick(), 20);
  onTestFinished(() => clearInterval(ticking));
  await world.publishActivePlan();
});

test('the mirror counts as silent while every node has stopped', async () => {
  const world = await startIndexerWorld('polling');
  await world.startIndexing();
  await world.publishActivePlan();
  world.network.faults.set({ nodes: { '*': { lagSlots: LAG_SLOTS } } });
  await world.eventually(async () => {
    expect((await mirrorHealth(world.ctx, 'TEST')).silentSeconds).toBeGreaterThan(2);
  });
});

test('the position has the time of a poll before the slots that are listed again', async () => {
  const world = await startIndexerWorld('polling');
  await world.startIndexing();
  await world.publishActivePlan();
  const read = () => world.db.streamPosition.findUniqueOrThrow({ where: { environment: 'TEST' } });
  await world.waitUntilCaughtUp();
  expect((await read()).slotTime).toBeNull();
  for (let slot = 0; slot < 160; slot += 1) world.network.tick();
  await world.eventually(async () => expect((await read()).slotTime).not.toBeNull());
});
