import { status } from '@grpc/grpc-js';
import { GetSlotRequest } from '@triton-one/yellowstone-grpc';
import { expect, test } from 'vitest';
import { connect, startGeyser } from './client.ts';
import { rawCall } from './raw-client.ts';

const SLOTS_TO_FINALITY = 32;
const LEVELS = ['processed', 'confirmed', 'finalized'] as const;

test('slot, height and blockhash are those of the newest block at the commitment', async () => {
  const { network, url } = await startGeyser();
  for (let n = 0; n < SLOTS_TO_FINALITY + 3; n += 1) network.tick();
  const client = await connect(url);
  for (const [level, name] of LEVELS.entries()) {
    const block = name === 'finalized' ? 'finalized' : 'confirmed';
    expect(await client.getSlot(level)).toEqual({ slot: String(network.slot(block)) });
    expect(await client.getBlockHeight(level)).toEqual({ blockHeight: String(network.blockHeight(block)) });
    expect(await client.getLatestBlockhash(level)).toEqual({
      slot: String(network.slot(block)),
      blockhash: network.latestBlockhash(block).blockhash,
      lastValidBlockHeight: String(network.blockHeight(block) + 300),
    });
  }
  expect(network.slot('finalized')).toBeLessThan(network.slot('confirmed'));
});

test('a blockhash is valid up to its height at the requested commitment', async () => {
  const { network, url } = await startGeyser();
  network.tick();
  const client = await connect(url);
  const { blockhash, lastValidBlockHeight } = network.latestBlockhash('confirmed');
  const hashHeight = network.blockHeight('confirmed');
  const tickTo = (height: number, commitment: 'confirmed' | 'finalized') => {
    while (network.blockHeight(commitment) < height) network.tick();
  };
  const readValidity = () =>
    Promise.all([1, 2].map(async (level) => (await client.isBlockhashValid(blockhash, level)).valid));

  expect(await readValidity()).toEqual([true, false]);
  tickTo(hashHeight, 'finalized');
  expect(await readValidity()).toEqual([true, true]);
  tickTo(lastValidBlockHeight, 'confirmed');
  expect(await readValidity()).toEqual([true, true]);
  tickTo(lastValidBlockHeight + 1, 'confirmed');
  expect(await readValidity()).toEqual([false, true]);
  tickTo(lastValidBlockHeight, 'finalized');
  expect(await readValidity()).toEqual([false, true]);
  tickTo(lastValidBlockHeight + 1, 'finalized');
  expect(await readValidity()).toEqual([false, false]);
  expect(await client.isBlockhashValid('nonsense')).toEqual({
    valid: false,
    slot: String(network.slot('confirmed')),
  });
});

test('Ping and GetVersion respond', async () => {
  const { url } = await startGeyser();
  const client = await connect(url);
  expect(await client.ping(41)).toEqual({ count: 41 });
  const { version } = await client.getVersion();
  expect(JSON.parse(version)).toMatchObject({ version: { package: 'dues-localnet' }, extra: {} });
});

test('an unknown commitment is refused with the message of the real server', async () => {
  const { port } = await startGeyser();
  const request = Buffer.from(GetSlotRequest.encode({ commitment: 7 as never }).finish());
  await expect(rawCall(port, 'GetSlot', request)).rejects.toMatchObject({
    code: status.UNKNOWN,
    details: 'failed to create CommitmentLevel from 7',
  });
});
