import { expect, test } from 'vitest';
import { createChain } from '../../../src/chain/create-chain.ts';
import { acceptedVersion, forgetVersion } from '../../../src/chain/transactions/accepted-version.ts';
import { alteredRpc } from '../altered-rpc.ts';
import { createWorld } from '../world.ts';

const NOT_DECODED = { code: -32602, message: 'failed to deserialize solana_transaction' };

/** A cluster that accepts messages up to a version, and refuses others with the given error. */
async function clusterAccepting(newest: { version: 1 | 0 | 'legacy' }, refuse: 'undecoded' | 'unsupported') {
  const world = await createWorld();
  const rpcUrl = await alteredRpc(world.localnet.rpcUrl, ({ method, params }, result, rpcResponse) => {
    if (method !== 'simulateTransaction') return;
    const wire = Buffer.from(String(params[0]), 'base64');
    // One signature precedes an older message.
    const version = wire[0] === 0x81 ? 1 : wire[65] === 0x80 ? 0 : 'legacy';
    const order = ['legacy', 0, 1];
    if (order.indexOf(version) <= order.indexOf(newest.version)) return;
    if (refuse === 'undecoded') Object.assign(rpcResponse, { error: NOT_DECODED, result: undefined });
    else (result as { value: { err: unknown } }).value.err = 'UnsupportedVersion';
  });
  return createChain('TEST', { ...world.chain.config, rpcUrl });
}

test.each([
  { version: 1, refuse: 'undecoded' },
  { version: 0, refuse: 'undecoded' },
  { version: 0, refuse: 'unsupported' },
  { version: 'legacy', refuse: 'undecoded' },
  { version: 'legacy', refuse: 'unsupported' },
] as const)(
  'a cluster that accepts up to $version and refuses others as $refuse',
  async ({ version, refuse }) => {
    expect(await acceptedVersion(await clusterAccepting({ version }, refuse))).toBe(version);
  },
);

test('a cluster is queried once, and again after it has refused', async () => {
  const newest: { version: 0 | 1 } = { version: 1 };
  const chain = await clusterAccepting(newest, 'undecoded');
  expect(await acceptedVersion(chain)).toBe(1);
  newest.version = 0;
  expect(await acceptedVersion(chain)).toBe(1);
  forgetVersion(chain);
  expect(await acceptedVersion(chain)).toBe(0);
});

test('an unreachable node does not count as a refusal', async () => {
  const { chain } = await createWorld();
  const unreachable = await createChain('TEST', { ...chain.config, rpcUrl: 'http://127.0.0.1:1' });
  await expect(acceptedVersion(unreachable)).rejects.toThrow();
});

test.each([
  { name: 'an unknown transaction error', error: undefined },
  { name: 'an error of the node', error: { code: -32603, message: 'Internal error' } },
])('$name does not count as an acceptance, so version 0 is used', async ({ error }) => {
  const world = await createWorld();
  const rpcUrl = await alteredRpc(world.localnet.rpcUrl, ({ method }, result, rpcResponse) => {
    if (method !== 'simulateTransaction') return;
    if (error) Object.assign(rpcResponse, { error, result: undefined });
    else (result as { value: { err: unknown } }).value.err = 'SomethingNew';
  });
  const chain = await createChain('TEST', { ...world.chain.config, rpcUrl });
  expect(await acceptedVersion(chain)).toBe(0);
});

test('a collector without lamports does not count as a refusal of the version', async () => {
  const world = await createWorld();
  const rpcUrl = await alteredRpc(world.localnet.rpcUrl, ({ method }, result) => {
    if (method === 'simulateTransaction')
      (result as { value: { err: unknown } }).value.err = 'AccountNotFound';
  });
  expect(await acceptedVersion(await createChain('TEST', { ...world.chain.config, rpcUrl }))).toBe(1);
});

test('a configured version is used without calling a node', async () => {
  const { chain } = await createWorld();
  const rpcUrl = 'http://127.0.0.1:1';
  const configured = await createChain('TEST', { ...chain.config, rpcUrl, transactionVersion: 0 });
  expect(await acceptedVersion(configured)).toBe(0);
});
