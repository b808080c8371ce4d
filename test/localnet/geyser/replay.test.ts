import { CommitmentLevel, type SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { expect, test } from 'vitest';
import type { Network } from '../../../localnet/network.ts';
import { connect, startGeyser, subscribe, subscribeAndFail } from './client.ts';
import { accountOf, newAddress } from './transactions.ts';

const request = { accounts: { a: {} }, blocksMeta: { m: {} }, slots: { s: {} } };

/** Completes `n` slots. In each it writes an account with the slot's number as lamports. */
async function produceSlots(network: Network, n: number): Promise<number[]> {
  const account = await newAddress();
  const slots: number[] = [];
  for (let count = 0; count < n; count += 1) {
    slots.push(network.slot('processed'));
    network.setAccount(account, accountOf({ lamports: BigInt(network.slot('processed')) }));
    network.tick();
  }
  return slots;
}

function describeUpdates(updates: readonly SubscribeUpdate[]): string[] {
  return updates.map(({ account, blockMeta, slot }) => {
    if (account) return `account ${account.slot}`;
    if (blockMeta) return `meta ${blockMeta.slot}`;
    return `status${slot?.status} ${slot?.slot}`;
  });
}

test.each([CommitmentLevel.PROCESSED, CommitmentLevel.CONFIRMED, CommitmentLevel.FINALIZED])(
  'at commitment %i a stream that reconnects gets every update exactly once',
  async (commitment) => {
    const { network, url } = await startGeyser();
    const steady = await subscribe(url, { accounts: { a: {} }, blocksMeta: { m: {} }, commitment });
    const [first] = await produceSlots(network, 40);
    network.setAccount(await newAddress(), accountOf({ lamports: 77n }));
    const late = await subscribe(url, {
      accounts: { a: {} },
      blocksMeta: { m: {} },
      commitment,
      fromSlot: String(first),
    });
    await produceSlots(network, 40);
    const expected = describeUpdates(await steady.settled());
    expect(expected.length).toBeGreaterThan(50);
    expect(describeUpdates(await late.settled())).toEqual(expected);
  },
);

test('a replay begins at the requested slot, with the statuses so far', async () => {
  const { network, url } = await startGeyser();
  const slots = await produceSlots(network, 34);
  const stream = await subscribe(url, { ...request, fromSlot: String(slots[1]) });
  const updates = describeUpdates(await stream.settled());
  const [, second, third] = slots;
  expect(updates.slice(0, 9)).toEqual([
    `account ${second}`,
    `meta ${second}`,
    `status0 ${second}`,
    `status1 ${second}`,
    `status2 ${second}`,
    `account ${third}`,
    `meta ${third}`,
    `status0 ${third}`,
    `status1 ${third}`,
  ]);
});

test('the buffer holds 150 blocks; an older slot is out of range', async () => {
  const { network, url } = await startGeyser();
  const client = await connect(url);
  expect(await client.subscribeReplayInfo()).toEqual({ firstAvailable: '18446744073709551615' });
  const slots = await produceSlots(network, 160);
  const { firstAvailable } = await client.subscribeReplayInfo();
  expect(firstAvailable).toBe(String(slots[10]));

  const oldest = await subscribe(url, { ...request, fromSlot: String(firstAvailable) });
  expect(describeUpdates(await oldest.settled())[0]).toBe(`account ${firstAvailable}`);
  expect(await subscribeAndFail(url, { ...request, fromSlot: String(slots[9]) })).toContain(
    `broadcast from ${slots[9]} is not available, last available: ${firstAvailable}`,
  );
});

test('a time travel removes no block from the buffer', async () => {
  const { network, url } = await startGeyser();
  const [first] = await produceSlots(network, 3);
  network.travel({ slot: network.slot('processed') + 1_000_000 });
  const stream = await subscribe(url, { accounts: { a: {} }, fromSlot: String(first) });
  expect(await stream.settled()).toHaveLength(3);
  const fromTheGap = await subscribe(url, {
    blocksMeta: { m: {} },
    fromSlot: String(network.slot('confirmed') - 5),
  });
  expect(describeUpdates(await fromTheGap.settled())).toEqual([`meta ${network.slot('confirmed')}`]);
});

test('a future slot cannot be replayed', async () => {
  const { network, url } = await startGeyser();
  await produceSlots(network, 3);
  const fromSlot = String(network.slot('processed') + 1);
  expect(await subscribeAndFail(url, { ...request, fromSlot })).toContain('failed to get replay response');
});

test('a live stream can request a replay', async () => {
  const { network, url } = await startGeyser();
  const stream = await subscribe(url, { accounts: { a: {} } });
  const [first, second] = await produceSlots(network, 2);
  await stream.takeUpdates();
  stream.write({ accounts: { again: {} }, fromSlot: String(first) });
  const updates = await stream.takeUpdates();
  expect(updates.map(({ filters, account }) => [filters, account?.slot])).toEqual([
    [['again'], String(first)],
    [['again'], String(second)],
  ]);
});
