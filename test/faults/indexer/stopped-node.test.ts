/** Repairs read a node that has reached the newest known slot, and none that has stopped. */
import { expect, onTestFinished, test } from 'vitest';
import { Mirror } from '../../../indexer/apply/mirror.ts';
import { startIndexer } from '../../../indexer/main.ts';
import { refreshMirror } from '../../../indexer/repair/refresh-mirror.ts';
import { createRefusedRetry } from '../../../indexer/repair/retry-refused.ts';
import type { AppContext } from '../../../src/app.ts';
import type { Chain } from '../../../src/chain/chain.ts';
import { createChain } from '../../../src/chain/create-chain.ts';
import { NodeBehind } from '../../../src/chain/rpc/as-of.ts';
import { knownSlot } from '../../../src/domain/chain-state/mirror/known-slot.ts';
import { readStreamLag } from '../../../src/operations/stream-lag.ts';
import { type IndexerWorld, startIndexerWorld, TIMING } from '../../indexer/world.ts';

/** A node that lags so far shows nothing of a test before the test ends. */
const LAG_SLOTS = 1_000_000;

/** A world with a mirrored subscription, and a context in which the preferred node has stopped. */
async function startStoppedWorld(...otherNodes: string[]) {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const plan = await world.publishActivePlan();
  const wallet = await world.subscribeWithoutCompleting(plan);
  await world.waitForSubscription(plan, wallet, 'ACTIVE');
  await world.waitUntilCaughtUp();
  await indexer.close();
  stopNode(world);
  const { config } = world.chain;
  const rpcUrl = `${config.rpcUrl}/stopped`;
  const moreRpcUrls = otherNodes.map((name) => `${config.rpcUrl}/${name}`);
  const created = await createChain('TEST', { ...config, rpcUrl, moreRpcUrls, yellowstoneUrl: undefined });
  const chain: Chain = { ...created, slotAttempts: 1 };
  const ctx: AppContext = { ...world.ctx, chain: { TEST: chain } };
  return { world, ctx, chain };
}

/** Stops the node at the slot that is finalized now. */
function stopNode({ network }: IndexerWorld): void {
  for (const lagSlots of [0, LAG_SLOTS]) network.faults.set({ nodes: { stopped: { lagSlots } } });
}

async function knownPosition({ db }: IndexerWorld): Promise<bigint> {
  const { slot } = await db.streamPosition.findUniqueOrThrow({ where: { environment: 'TEST' } });
  return slot;
}

test('the mirror is not refreshed from a node that has stopped', async () => {
  const { world, ctx } = await startStoppedWorld();
  await expect(refreshMirror(ctx, {})).rejects.toThrow(NodeBehind);
  expect(await world.db.subscription.findMany()).toMatchObject([{ status: 'ACTIVE' }]);
});

test('a refused update stays refused until a node has reached the newest known slot', async () => {
  const { world, ctx, chain } = await startStoppedWorld();
  const position = await knownPosition(world);
  const onFailure = (error: unknown) => expect.unreachable(String(error));
  const mirror = new Mirror(ctx, chain, { position, onFailure });
  mirror.refuse(position + 1n);
  await expect(createRefusedRetry(mirror, 0)()).rejects.toThrow(NodeBehind);
  expect(mirror.hasRefused).toBe(true);
});

test.each([
  { nodes: 'the preferred node has stopped', others: ['second'] },
  { nodes: 'every node has stopped', others: [] },
])('the lag of the mirror is measured although $nodes', async ({ others }) => {
  const { world, ctx, chain } = await startStoppedWorld(...others);
  const missed = 20n;
  const position = (await knownPosition(world)) - missed;
  const headSlot = position + missed;
  await world.db.streamPosition.update({
    where: { environment: 'TEST' },
    data: { slot: position, headSlot },
  });
  const { slotsBehind } = await readStreamLag(ctx, chain);
  expect(slotsBehind).toBeGreaterThanOrEqual(Number(missed));
});

test('the known slot advances while the stream is away, and the stream then continues', async () => {
  const { world, ctx, chain } = await startStoppedWorld('second');
  const startedAt = await knownSlot(ctx, 'TEST');
  const tick = (slots: number) => {
    for (let slot = 0; slot < slots; slot += 1) world.network.tick();
  };
  // The node stops after the stream, so that it has the newest slot that the stream has shown.
  tick(100);
  stopNode(world);
  const follow = async (yellowstoneUrl: string | undefined) => {
    const config = { ...chain.config, yellowstoneUrl };
    const following: AppContext = { ...ctx, chain: { TEST: { ...chain, config } } };
    const indexer = await startIndexer(following, ['TEST'], { ...TIMING, blockTimeoutMs: 600 });
    onTestFinished(() => indexer.close());
    return indexer;
  };
  const away = await follow('http://127.0.0.1:1');
  const slots = 500;
  tick(slots);
  await world.eventually(async () =>
    expect(await knownSlot(ctx, 'TEST')).toBeGreaterThan(startedAt + BigInt(slots)),
  );
  await away.close();
  await follow(world.chain.config.yellowstoneUrl);
  await world.waitUntilCaughtUp();
});
