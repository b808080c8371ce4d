import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { localCluster } from '../../bin/local-cluster.ts';
import { startLocalnet } from '../../localnet/localnet.ts';
import { PROGRAM } from '../../src/chain/accounts/addresses.ts';
import { readChainTime } from '../../src/chain/accounts/read-accounts.ts';
import { ClusterUnusable } from '../../src/chain/chain.ts';
import { assertReachable, createChain } from '../../src/chain/create-chain.ts';
import { latestBlockhash } from '../../src/chain/rpc/send.ts';
import { toTransactionFailure } from '../../src/chain/rpc/transaction-failure.ts';
import { COLLECTOR_KEY } from '../../tools/world/network.ts';
import { callRpc } from '../support/json-rpc.ts';
import { alteredRpc } from './altered-rpc.ts';
import { createWorld, HOUR } from './world.ts';

const GEYSER = 'http://127.0.0.1:1';

test('a cluster with the program is usable', async () => {
  const { chain } = await createWorld();
  await expect(assertReachable(chain)).resolves.toBeUndefined();
  expect(chain.collector.address).toBe('AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9');
});

test('an unreachable cluster is named without the keys in its URL', async () => {
  const rpcUrl = 'http://127.0.0.1:1/v2/secret?api-key=secret';
  const chain = await createChain('LIVE', localCluster({ rpcUrl, geyserUrl: GEYSER }, COLLECTOR_KEY));
  const error = await assertReachable(chain).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ClusterUnusable);
  expect((error as Error).message).toMatch(
    /^The LIVE cluster at http:\/\/127\.0\.0\.1:1\/… cannot be reached: \S/,
  );
  expect((error as Error).message).not.toContain('secret');
});

test('a cluster without the program is refused', async () => {
  const { chain, cheat } = await createWorld();
  await cheat('surfnet_setAccount', [PROGRAM, { executable: false }]);
  await expect(assertReachable(chain)).rejects.toThrow('has no Subscriptions program (De1eg');
});

test.each(['rate-limit', 'server-error', 'disconnect'])(
  'a call is repeated after the fault %s',
  async (fault) => {
    const { chain, localnet } = await createWorld();
    const methods = { getLatestBlockhash: { fault, times: 2 } };
    await callRpc(localnet.rpcUrl, 'localnet_setFaults', [{ methods }]);
    await expect(latestBlockhash(chain)).resolves.toMatchObject({ blockhash: expect.any(String) });
  },
);

test('a node that stays broken causes its error after four attempts', async () => {
  const { chain, localnet } = await createWorld();
  const methods = { getLatestBlockhash: { fault: 'server-error', times: 5 } };
  await callRpc(localnet.rpcUrl, 'localnet_setFaults', [{ methods }]);
  await expect(latestBlockhash(chain)).rejects.toThrow('500');
  expect(localnet.network.faults.counts.get('server-error')).toBe(4);
  // One of the five faults is left. The next call fails once, is repeated, and succeeds.
  await expect(latestBlockhash(chain)).resolves.toBeDefined();
  expect(localnet.network.faults.counts.get('server-error')).toBe(5);
});

test.each([
  [{ 'retry-after': '60' }, 1],
  [{ 'retry-after': '0.01' }, 4],
  [{}, 4],
])('a busy node is called again unless it names a long time: %j', async (headers, attempts) => {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    request.resume();
    response.writeHead(429, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const chain = await createChain('TEST', localCluster({ rpcUrl, geyserUrl: GEYSER }, COLLECTOR_KEY));
  await expect(latestBlockhash(chain)).rejects.toThrow('429');
  expect(calls).toBe(attempts);
});

test("the chain's time is the cluster's clock, and moves with it", async () => {
  const { chain, network, travel } = await createWorld();
  const before = await readChainTime(chain);
  expect(before).toBe(BigInt(network.unixSeconds()));
  await travel(HOUR);
  expect((await readChainTime(chain)) - before).toBeGreaterThanOrEqual(BigInt(HOUR));
});

test('a request to which the node responds with an error is not repeated', async () => {
  const localnet = await startLocalnet({ slotMs: 0 });
  onTestFinished(() => localnet.close());
  let requests = 0;
  const rpcUrl = await alteredRpc(localCluster(localnet, COLLECTOR_KEY).rpcUrl, ({ method }) => {
    if (method === 'getAccountInfo') requests += 1;
  });
  const chain = await createChain('TEST', { ...localCluster(localnet, COLLECTOR_KEY), rpcUrl });
  await expect(chain.rpc.getAccountInfo('nobody' as never).send()).rejects.toThrow();
  expect(requests).toBe(1);
});

const failure = (name: string, instruction: number | null, custom: number | null = null) => ({
  name,
  instruction,
  custom,
});

test.each<[string, unknown, unknown]>([
  ['no failure', null, null],
  ['no failure given', undefined, null],
  ['a failure of the transaction', 'BlockhashNotFound', failure('BlockhashNotFound', null)],
  ["a program's own failure", { InstructionError: [2, { Custom: 400 }] }, failure('Custom', 2, 400)],
  ['the same with bigints', { InstructionError: [2n, { Custom: 400n }] }, failure('Custom', 2, 400)],
  [
    'a failure of the runtime',
    { InstructionError: [0, 'InvalidAccountOwner'] },
    failure('InvalidAccountOwner', 0),
  ],
  ['a failure with text', { InstructionError: [0, { BorshIoError: 'x' }] }, failure('BorshIoError', 0)],
  [
    'a failure of the transaction with details',
    { InsufficientFundsForRent: { account_index: 1 } },
    failure('InsufficientFundsForRent', null),
  ],
])('%s is converted', (_, error, expected) => {
  expect(toTransactionFailure(error)).toEqual(expected);
});
