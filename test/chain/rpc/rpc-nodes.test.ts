import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { localCluster } from '../../../bin/local-cluster.ts';
import { startLocalnet } from '../../../localnet/localnet.ts';
import { readAccounts, readChainTime } from '../../../src/chain/accounts/read-accounts.ts';
import { readApart, Unread } from '../../../src/chain/accounts/read-apart.ts';
import { type Chain, publicChain } from '../../../src/chain/chain.ts';
import { createChain } from '../../../src/chain/create-chain.ts';
import { asOf, NodeBehind } from '../../../src/chain/rpc/as-of.ts';
import { readSlot } from '../../../src/chain/rpc/read-slot.ts';
import { RpcBusy } from '../../../src/chain/rpc/rpc-nodes.ts';
import { latestBlockhash } from '../../../src/chain/rpc/send.ts';
import { signatureOutcomes } from '../../../src/chain/rpc/signature-outcomes.ts';
import type { ClusterConfig } from '../../../src/config/cluster-config.ts';
import { counterRegistry } from '../../../src/observability/metrics/counters.ts';
import { COLLECTOR_KEY } from '../../../tools/world/network.ts';
import { callRpc } from '../../support/json-rpc.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';

type FaultyResponse = (response: ServerResponse) => void;

const localnet = await sharedByFile(startLocalnet({ slotMs: 20 }));
beforeEach(() => counterRegistry.resetMetrics());

const chainWith = (config: Partial<ClusterConfig>): Promise<Chain> =>
  createChain('TEST', { ...localCluster(localnet, COLLECTOR_KEY), ...config });

/** A node of the network. `fault`, if set, responds in its place. */
async function node(fault?: FaultyResponse) {
  const calls: { method: string; params: unknown[] }[] = [];
  const state = { fault };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = JSON.parse(Buffer.concat(chunks).toString()) as (typeof calls)[number];
    calls.push(call);
    if (state.fault) return state.fault(response);
    const rpcResponse = await callRpc(localnet.rpcUrl, call.method, call.params);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...rpcResponse }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, calls, recover: () => (state.fault = undefined) };
}

const errorBody =
  (code: number): FaultyResponse =>
  (response) =>
    response.writeHead(200).end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'no' } }));
const status =
  (code: number, headers = {}): FaultyResponse =>
  (response) =>
    response.writeHead(code, headers).end();

describe('several nodes', () => {
  it.each<[string, FaultyResponse]>([
    ['limits calls', status(429)],
    ['limits calls for a minute', status(429, { 'retry-after': '60' })],
    ['limits calls with an error in HTTP 200', errorBody(429)],
    ['limits calls with another error in HTTP 200', errorBody(-32_429)],
    ['is over its limit or unhealthy', errorBody(-32_005)],
    ['is broken', status(503)],
    ['no longer accepts the key', status(401)],
    ['closes connections', (response) => response.destroy()],
    ['responds with a page', (response) => response.writeHead(200).end('<html>')],
  ])('do not use one that %s', async (_, fault) => {
    const first = await node(fault);
    const chain = await chainWith({ rpcUrl: first.url, moreRpcUrls: [localnet.rpcUrl] });
    for (let call = 0; call < 20; call++) await latestBlockhash(chain);
    // It is paused, and is not called every time.
    expect(first.calls.length).toBeLessThan(8);
  });

  it('do not use one that does not respond, and test it with one call at a time', async () => {
    const silent = await node(() => undefined);
    const chain = await chainWith({ rpcUrl: silent.url, moreRpcUrls: [localnet.rpcUrl] });
    await latestBlockhash(chain);
    for (let call = 0; call < 20; call++) await latestBlockhash(chain);
    await Promise.all(Array.from({ length: 50 }, () => latestBlockhash(chain)));
    expect(silent.calls.length).toBeLessThan(5);
  });

  it('use one again that has recovered', async () => {
    const first = await node(status(500));
    const chain = await chainWith({ rpcUrl: first.url, moreRpcUrls: [localnet.rpcUrl] });
    await latestBlockhash(chain);
    first.recover();
    const before = first.calls.length;
    while (first.calls.length < before + 3) await latestBlockhash(chain);
  });

  it('do not use one that is behind, even if it ignores the minimum slot', async () => {
    const lagging = `${localnet.rpcUrl}/lagging`;
    await callRpc(localnet.rpcUrl, 'localnet_setFaults', [{ nodes: { lagging: { lagSlots: 500 } } }]);
    const { result: slot } = await callRpc<number>(localnet.rpcUrl, 'getSlot', [{ commitment: 'confirmed' }]);
    const chain = asOf(
      await chainWith({ rpcUrl: lagging, moreRpcUrls: [localnet.rpcUrl] }),
      BigInt(slot ?? 0),
    );
    for (let call = 0; call < 20; call++) await latestBlockhash(chain);
    const signature = '1'.repeat(64) as never;
    const outcome = (await signatureOutcomes(chain, [signature])).get(signature);
    expect(outcome?.slot).toBeGreaterThanOrEqual(chain.minSlot);
    const stopped = await node((response) =>
      response.writeHead(200).end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: 1 })),
    );
    const slots = asOf(
      await chainWith({ rpcUrl: stopped.url, moreRpcUrls: [localnet.rpcUrl] }),
      chain.minSlot,
    );
    expect(await readSlot({ ...slots, slotAttempts: 1 })).toBeGreaterThanOrEqual(chain.minSlot);
    const old = { context: { slot: 1 }, value: { blockhash: 'x', lastValidBlockHeight: 1 } };
    const ignoring = await node((response) =>
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: old })),
    );
    const other = await chainWith({ rpcUrl: ignoring.url, moreRpcUrls: [localnet.rpcUrl] });
    expect((await latestBlockhash(asOf(other, BigInt(slot ?? 0)))).blockhash).not.toBe('x');
  });

  it('are called in the order of their slots if all are behind', async () => {
    const nodes = { far: { lagSlots: 500 }, near: { lagSlots: 10 } };
    await callRpc(localnet.rpcUrl, 'localnet_setFaults', [{ nodes }]);
    const [far, near] = ['far', 'near'].map((name) => `${localnet.rpcUrl}/${name}`) as [string, string];
    const confirmed = { commitment: 'confirmed' } as const;
    const slotOf = async (url: string) => (await callRpc<number>(url, 'getSlot', [confirmed])).result ?? 0;
    let slotOfNear = 0;
    await vi.waitFor(async () => {
      slotOfNear = await slotOf(near);
      expect(slotOfNear - (await slotOf(far))).toBeGreaterThan(20);
    }, 30_000);
    const chain = await chainWith({ rpcUrl: far, moreRpcUrls: [near] });
    await expect(latestBlockhash(asOf(chain, BigInt(slotOfNear) + 1_000n, 1))).rejects.toThrow(NodeBehind);
    expect(await chain.rpc.getSlot(confirmed).send()).toBeGreaterThanOrEqual(slotOfNear);
    // A day may have passed between two slots of a network whose time can be moved.
    await expect(readChainTime(asOf(chain, BigInt(slotOfNear) + 30n, 1))).rejects.toThrow(NodeBehind);
  });

  it('read the height and the statuses of signatures from one node', async () => {
    const first = await node();
    const second = await node();
    let asked = 0;
    const failing = await node((response) => {
      asked += 1;
      const epoch = { blockHeight: 1e9, absoluteSlot: 1e9, slotIndex: 1, slotsInEpoch: 2, epoch: 1 };
      if (asked === 1) response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: epoch }));
      else status(500)(response);
    });
    const signature = '1'.repeat(64) as never;
    const working = await chainWith({ rpcUrl: first.url, moreRpcUrls: [second.url] });
    await signatureOutcomes(working, [signature]);
    expect(first.calls.map(({ method }) => method)).toEqual(['getEpochInfo', 'getSignatureStatuses']);
    expect(second.calls).toEqual([]);
    const chain = await chainWith({ rpcUrl: failing.url, moreRpcUrls: [second.url] });
    const outcome = (await signatureOutcomes(chain, [signature])).get(signature);
    expect(second.calls.map(({ method }) => method)).toEqual(['getEpochInfo', 'getSignatureStatuses']);
    // The height of the node that failed midway is discarded.
    expect(outcome).toMatchObject({ state: 'unseen' });
    expect(outcome?.state === 'unseen' && outcome.blockHeight < 1e6).toBe(true);
  });

  it('have a budget each, and share the calls beyond it', async () => {
    const [first, second] = [await node(), await node()];
    const chain = await chainWith({ rpcUrl: first.url, moreRpcUrls: [second.url], rpcRequestsPerSecond: 20 });
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 60 }, () => latestBlockhash(chain)));
    const seconds = (performance.now() - startedAt) / 1_000;
    for (const { calls } of [first, second]) expect(calls.length).toBeLessThanOrEqual(20 * seconds + 2);
    expect(second.calls.length).toBeGreaterThan(10);
  });

  it('are labelled by their position in metrics, never by their URL', async () => {
    const chain = await chainWith({
      rpcUrl: `${(await node(status(503))).url}/?api-key=secret`,
      moreRpcUrls: [localnet.rpcUrl],
    });
    await latestBlockhash(chain);
    const text = await counterRegistry.metrics();
    expect(text).toContain('dues_rpc_requests_total{environment="TEST",node="0",result="broken"} 1');
    expect(text).toContain('dues_rpc_requests_total{environment="TEST",node="1",result="fine"} 1');
    expect(text).not.toContain('secret');
  });
});

it('transactions are sent to the nodes for sending and to the others', async () => {
  const [ordinary, sending, broken] = [await node(), await node(errorBody(-32_602)), await node(status(500))];
  const chain = await chainWith({
    rpcUrl: ordinary.url,
    moreRpcUrls: [broken.url],
    sendRpcUrls: [sending.url],
  });
  await latestBlockhash(chain);
  expect(sending.calls).toEqual([]);
  await chain.sendRpc
    .sendTransaction('AA==' as never, { encoding: 'base64' })
    .send()
    .catch(() => undefined);
  await expect.poll(() => ordinary.calls.map(({ method }) => method)).toContain('sendTransaction');
  expect(sending.calls.map(({ method }) => method)).toEqual(['sendTransaction']);
});

describe('a batch with items that no node can read', () => {
  const bad = 'bad';
  /** One item of each part of 15 items is bad. */
  const batch = Array.from({ length: 228 }, (_, index) => (index % 15 === 3 ? bad : `item ${index}`));
  const failOnBad = (items: readonly string[]) => {
    if (items.includes(bad)) throw new Error('cannot be read');
    return items;
  };

  it('is read in parts, at most eight at a time', async () => {
    const chain = await chainWith({});
    let [reading, mostReading] = [0, 0];
    const read = async (_: Chain, items: readonly string[]) => {
      reading += 1;
      mostReading = Math.max(mostReading, reading);
      await latestBlockhash(chain);
      reading -= 1;
      return failOnBad(items);
    };
    const results = await readApart(chain, batch, read);
    expect(results.map((result) => (result instanceof Unread ? bad : result))).toEqual(batch);
    expect(mostReading).toBe(8);
  });

  it('is read without the parts for which the nodes are busy or behind', async () => {
    const chain = await chainWith({});
    const errors = new Map([
      ['item 0', new RpcBusy('busy')],
      ['item 17', new NodeBehind('behind')],
    ]);
    const read = async (_: Chain, items: readonly string[]) => {
      const error = items.length < batch.length && items.map((item) => errors.get(item)).find(Boolean);
      if (error) throw error;
      return failOnBad(items);
    };
    const results = await readApart(chain, batch, read);
    const errorAt = (position: number) => (results[position] as Unread).error;
    for (let position = 0; position < 15; position++) expect(errorAt(position)).toBeInstanceOf(RpcBusy);
    for (let position = 15; position < 30; position++) expect(errorAt(position)).toBeInstanceOf(NodeBehind);
    expect(results.slice(30).map((result) => (result instanceof Unread ? bad : result))).toEqual(
      batch.slice(30),
    );
  });

  it('is read in parts while the budget of the only node is used up', async () => {
    const chain = await chainWith({ rpcRequestsPerSecond: 1 });
    const read = async (_: Chain, items: readonly string[]) => {
      // Other callers use the budget of the next seconds.
      if (items.length === batch.length) {
        for (let call = 0; call < 8; call++) latestBlockhash(chain).catch(() => undefined);
      }
      return failOnBad(items);
    };
    const results = await readApart(chain, batch, read);
    expect(results.filter((result) => result instanceof Unread)).toHaveLength(15);
  });

  it('is read until its time is over, and the rest is unread', async () => {
    const chain = await chainWith({});
    const deadline = new AbortController();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    // The time of the whole batch.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) =>
      ms === 40_000 ? deadline.signal : timeout(ms),
    );
    onTestFinished(() => void vi.restoreAllMocks());
    const read = async ({ readSignal }: Chain, items: readonly string[]) => {
      if (items.length === batch.length) throw new Error('cannot be read');
      if (items.includes('item 30')) deadline.abort();
      readSignal?.throwIfAborted();
      return items;
    };
    const results = await readApart(chain, batch, read);
    expect(results.findIndex((result) => result instanceof Unread)).toBe(30);
    expect(results.slice(30).every((result) => result instanceof Unread)).toBe(true);
  });
});

describe('callers without a key', () => {
  const newAddress = async () => (await generateKeyPairSigner()).address;

  it('cost one call if 200 of them send the same request at once', async () => {
    const first = await node();
    const chain = publicChain(await chainWith({ rpcUrl: first.url }));
    const wallet = await newAddress();
    await Promise.all(Array.from({ length: 200 }, () => readAccounts(chain, [wallet], 'owner')));
    expect(first.calls).toHaveLength(1);
    await readAccounts(chain, [wallet], 'owner');
    expect(first.calls).toHaveLength(2);
  });

  it('do not cache failures', async () => {
    const first = await node(errorBody(-32_602));
    const chain = publicChain(await chainWith({ rpcUrl: first.url }));
    const wallet = await newAddress();
    await expect(readAccounts(chain, [wallet], 'owner')).rejects.toThrow();
    first.recover();
    await readAccounts(chain, [wallet], 'owner');
  });

  it('stay within their budget with different requests, and a merchant does not wait', async () => {
    const [ordinary, open] = [await node(), await node()];
    const chain = await chainWith({
      rpcUrl: ordinary.url,
      publicRpcUrls: [open.url],
      publicRpcRequestsPerSecond: 20,
    });
    const startedAt = performance.now();
    const asked = await Promise.all(Array.from({ length: 200 }, newAddress));
    const answers = Promise.allSettled(
      asked.map((wallet) => readAccounts(publicChain(chain), [wallet], 'owner')),
    );
    let areAnswered = false;
    void answers.then(() => {
      areAnswered = true;
    });
    await latestBlockhash(chain);
    expect(areAnswered).toBe(false);
    const settled = await answers;
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(open.calls.length).toBeLessThanOrEqual(20 + 20 * seconds + 1);
    expect(ordinary.calls.map(({ method }) => method)).toEqual(['getLatestBlockhash']);
    const refused = settled.filter(({ status: outcome }) => outcome === 'rejected');
    expect(refused.length).toBeGreaterThan(50);
    for (const result of refused) {
      expect(result).toMatchObject({ reason: { code: 'rate_limit_exceeded' } });
    }
  });

  it('are served by the ordinary nodes if the public node fails', async () => {
    const open = await node(status(503));
    const chain = publicChain(await chainWith({ publicRpcUrls: [open.url] }));
    await readAccounts(chain, [await newAddress()], 'owner');
    expect(open.calls).toHaveLength(1);
  });
});
