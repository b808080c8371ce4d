import { Connection } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { startLocalnet } from '../../localnet/localnet.ts';
import { ENDLESS_OWNER, LARGE_OWNER, startStrangerNode } from '../../tools/stranger-node.ts';
import {
  createLargeAccount,
  createWorthlessMint,
  landInnerCalls,
  pullLargeAmount,
} from '../../tools/strangers.ts';
import { LocalnetClient } from '../../tools/world/localnet-client.ts';
import { createAddress } from '../../tools/world/seed-subscriptions.ts';

const LARGE_BYTES = 10 * 2 ** 20;

test('the node of strangers shows what a cluster allows, and everything else as it is', async () => {
  await using closing = new AsyncDisposableStack();
  const localnet = await startLocalnet({ slotMs: 0 });
  closing.defer(() => localnet.close());
  const node = await startStrangerNode(localnet.rpcUrl);
  closing.defer(() => node.close());
  const client = new LocalnetClient(localnet.rpcUrl, 2);
  closing.defer(() => client.close());
  const call = async (method: string, params: unknown[], signal?: AbortSignal) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(node.url, { method: 'POST', headers, body, signal: signal ?? null });
    return JSON.parse(await response.text()).result;
  };
  const small = createAddress();
  await client.call('surfnet_setAccount', [small, { lamports: 5, data: '0102' }]);
  const large = await createLargeAccount(client, LARGE_OWNER);
  const endless = await createLargeAccount(client, ENDLESS_OWNER);

  const whole = { encoding: 'base64', commitment: 'confirmed' };
  const both = await call('getMultipleAccounts', [[small, large], whole]);
  expect(both.value[0]).toMatchObject({ data: ['AQI=', 'base64'], space: 2 });
  expect(both.value[1].space).toBe(LARGE_BYTES);
  expect(Buffer.from(both.value[1].data[0], 'base64').length).toBe(LARGE_BYTES);

  const part = { ...whole, dataSlice: { offset: 0, length: 165 } };
  const parts = await call('getMultipleAccounts', [[large, endless], part]);
  const lengths = parts.value.map(({ data }: { data: [string] }) => Buffer.from(data[0], 'base64').length);
  expect(lengths).toEqual([165, 165]);
  const read = call('getAccountInfo', [endless, whole], AbortSignal.timeout(1_000));
  await expect(read).rejects.toThrow(/timeout/);

  const connection = new Connection(localnet.rpcUrl, 'confirmed');
  const signature = await landInnerCalls({ client, connection }, small);
  const config = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
  const { meta, transaction } = await call('getTransaction', [signature, config]);
  expect(transaction.message.accountKeys).toContain(small);
  expect(meta.innerInstructions[0].instructions).toHaveLength(63);

  const mint = await createWorthlessMint(client);
  await expect(pullLargeAmount({ client, connection }, mint)).resolves.toBeUndefined();
});
