import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startIndexer } from '../../../indexer/main.ts';
import { watchNodes } from '../../../indexer/source/watch-nodes.ts';
import { createChain } from '../../../src/chain/create-chain.ts';
import { knownSlot } from '../../../src/domain/chain-state/mirror/known-slot.ts';
import { type IndexerWorld, startIndexerWorld, TIMING } from '../../indexer/world.ts';

const FAST = { ...TIMING, blockTimeoutMs: 300 };

/** A node that answers only these methods, with these results. */
async function startNode(results: Readonly<Record<string, unknown>>) {
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const { method } = JSON.parse(await text(request)) as { method: string };
    calls.push(method);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: results[method] ?? null }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, calls };
}

async function chainWith(world: IndexerWorld, moreRpcUrls: readonly string[]) {
  return createChain('TEST', { ...world.chain.config, moreRpcUrls: [...moreRpcUrls] });
}

test('a node of another cluster does not advance the known slot', async () => {
  const world = await startIndexerWorld();
  const foreign = await startNode({ getSlot: 1_000_000_000, getGenesisHash: 'another' });
  const ctx = { ...world.ctx, chain: { TEST: await chainWith(world, [foreign.url]) } };
  const indexer = await startIndexer(ctx, ['TEST'], FAST);
  onTestFinished(() => indexer.close());
  await world.publishActivePlan();
  await world.eventually(async () => {
    expect(foreign.calls.filter((method) => method === 'getGenesisHash').length).toBeGreaterThan(1);
  });
  expect(await knownSlot(ctx, 'TEST')).toBeLessThan(500_000_000n);
  const ignored = world.messages().filter((message) => message.startsWith('RPC node ignored'));
  expect(ignored).toEqual(['RPC node ignored: far ahead, and not of this cluster']);
});

test('the checks do not change which node is preferred', async () => {
  const world = await startIndexerWorld();
  const first = await startNode({ getSlot: 1_000 });
  const second = await startNode({ getSlot: 1_001 });
  const updatedAt = world.ctx.clock.now();
  await world.db.streamPosition.create({ data: { environment: 'TEST', slot: 2_000n, updatedAt } });
  const { config } = world.chain;
  const chain = await createChain('TEST', { ...config, rpcUrl: first.url, moreRpcUrls: [second.url] });
  const stopping = new AbortController();
  const watching = watchNodes(world.ctx, chain, FAST, stopping.signal);
  await world.eventually(async () => expect(second.calls.length).toBeGreaterThan(1));
  stopping.abort();
  await watching;
  const [before, beforeOther] = [first.calls.length, second.calls.length];
  for (let call = 0; call < 10; call += 1) await chain.rpc.getSlot().send();
  expect([first.calls.length - before, second.calls.length - beforeOther]).toEqual([10, 0]);
});

test('the indexer stops at once while a node does not respond', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing({ blockTimeoutMs: 3_000 });
  await world.publishActivePlan();
  await world.waitUntilCaughtUp();
  world.network.faults.set({ methods: { getSlot: { fault: 'timeout', times: 1_000 } } });
  onTestFinished(() => world.network.faults.set({ methods: { getSlot: { fault: 'timeout', times: 0 } } }));
  await world.eventually(async () =>
    expect(world.network.faults.counts.get('timeout') ?? 0).toBeGreaterThan(0),
  );
  const unanswered = Promise.withResolvers<'late'>();
  // The call itself would time out after five seconds.
  const timer = setTimeout(() => unanswered.resolve('late'), 3_000);
  onTestFinished(() => clearTimeout(timer));
  expect(await Promise.race([indexer.close().then(() => 'closed'), unanswered.promise])).toBe('closed');
});
