import { CommitmentLevel, SubscribeRequest, type SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { expect, onTestFinished, test } from 'vitest';
import type { Network } from '../../../localnet/network.ts';
import { connect, Subscription, startGeyser, subscribe } from './client.ts';
import { accountOf, newAddress, newWallet, pay } from './transactions.ts';

const { PROCESSED, CONFIRMED } = CommitmentLevel;

async function writeAccounts(network: Network, lamports: readonly number[]): Promise<void> {
  for (const amount of lamports) {
    network.setAccount(await newAddress(), accountOf({ lamports: BigInt(amount) }));
  }
}

function lamportsOf(updates: readonly SubscribeUpdate[]): number[] {
  return updates.flatMap(({ account }) => (account ? [Number(account.account?.lamports)] : []));
}

test('cut ends every stream as a crash of the server does', async () => {
  const { network, url } = await startGeyser();
  const streams = [await subscribe(url, {}), await subscribe(url, { slots: { s: {} } })];
  network.faults.set({ streams: { cut: true } });
  for (const stream of streams) {
    expect(await stream.ended()).toContain('server is shutting down try again later');
  }
  const next = await subscribe(url, { accounts: { a: {} } });
  await writeAccounts(network, [1]);
  expect(lamportsOf(await next.settled())).toEqual([1]);
});

test('end ends every stream without an error', async () => {
  const { network, url } = await startGeyser();
  const stream = await subscribe(url, { accounts: { a: {} } });
  network.faults.set({ streams: { end: true } });
  expect(await stream.ended()).toBe('');
});

test.each([PROCESSED, CONFIRMED])(
  'at commitment %i skipped slots are missing silently, and in a replay not',
  async (commitment) => {
    const { network, url } = await startGeyser();
    const request = { accounts: { a: {} }, slots: { s: {} }, blocksMeta: { m: {} }, commitment };
    const stream = await subscribe(url, request);
    await writeAccounts(network, [1]);
    network.tick();
    const from = network.slot('processed');
    network.faults.set({ streams: { skipSlots: 2 } });
    for (const amount of [2, 3, 4]) {
      await writeAccounts(network, [amount]);
      network.tick();
    }
    const updates = await stream.settled();
    expect(lamportsOf(updates)).toEqual([1, 4]);
    const slots = new Set(
      updates.map(({ account, slot, blockMeta }) => (account ?? slot ?? blockMeta)?.slot),
    );
    expect([...slots]).toEqual([from - 1, from + 2].map(String));
    const replay = await subscribe(url, { ...request, fromSlot: String(from) });
    expect(lamportsOf(await replay.settled())).toEqual([2, 3, 4]);
  },
);

test('duplicate sends every account and transaction twice until it is switched off', async () => {
  const { network, url } = await startGeyser();
  const wallet = await newWallet(network);
  const stream = await subscribe(url, {
    accounts: { a: { account: [wallet.address] } },
    transactions: { t: {} },
    transactionsStatus: { s: {} },
    blocksMeta: { m: {} },
  });
  const kinds = async () => (await stream.takeUpdates()).map(({ filters }) => filters.join());
  network.faults.set({ streams: { duplicate: true } });
  await pay(network, wallet, await newAddress());
  network.tick();
  expect(await kinds()).toEqual(['a', 'a', 't', 's', 't', 's', 'm']);
  network.faults.set({ streams: { duplicate: false } });
  await pay(network, wallet, await newAddress());
  expect(await kinds()).toEqual(['a', 't', 's']);
});

test.each([PROCESSED, CONFIRMED])(
  'at commitment %i reorder sends the contents of a slot in reverse',
  async (commitment) => {
    const { network, url } = await startGeyser();
    const stream = await subscribe(url, { accounts: { a: {} }, blocksMeta: { m: {} }, commitment });
    network.faults.set({ streams: { reorder: true } });
    await writeAccounts(network, [1, 2, 3]);
    expect(await stream.takeUpdates()).toEqual([]);
    network.tick();
    const updates = await stream.takeUpdates();
    expect(lamportsOf(updates)).toEqual([3, 2, 1]);
    expect(updates.at(-1)?.blockMeta).toBeDefined();
    network.faults.set({ streams: { reorder: false } });
    await writeAccounts(network, [4, 5]);
    network.tick();
    expect(lamportsOf(await stream.takeUpdates())).toEqual([4, 5]);
  },
);

test('switching reorder on and off within a slot loses nothing', async () => {
  const { network, url } = await startGeyser();
  const stream = await subscribe(url, { accounts: { a: {} } });
  await writeAccounts(network, [1]);
  network.faults.set({ streams: { reorder: true } });
  await writeAccounts(network, [2, 3]);
  network.faults.set({ streams: { reorder: false } });
  await writeAccounts(network, [4]);
  network.tick();
  expect(lamportsOf(await stream.settled())).toEqual([1, 4, 3, 2]);
});

test('a client that reconnects after a cut gets every update once', async () => {
  const { network, url } = await startGeyser();
  network.tick();
  const client = await connect(url, undefined, { enabled: true, backoff: { maxRetries: 20 } });
  const request = SubscribeRequest.fromPartial({
    accounts: { a: {} },
    commitment: CONFIRMED,
    fromSlot: String(network.slot('confirmed')),
  });
  const stream = new Subscription(await client.subscribe(request));
  onTestFinished(() => stream.close());
  const amounts = Array.from({ length: 30 }, (_, index) => index + 1);
  for (const amount of amounts) {
    await writeAccounts(network, [amount]);
    network.tick();
    if (amount % 10 !== 0) continue;
    // The test sends no pings: when this client reconnects, it repeats its last request, which
    // would be the ping.
    await stream.until(() => lamportsOf(stream.updates).includes(amount));
    network.faults.set({ streams: { cut: true } });
  }
  expect(lamportsOf(stream.updates)).toEqual(amounts);
});
