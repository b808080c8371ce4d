import { CommitmentLevel, type SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { expect, test } from 'vitest';
import { startGeyser, subscribe } from './client.ts';
import { accountOf, keyBytes, newAddress, newWallet, pay } from './transactions.ts';

const STATUS = ['processed', 'confirmed', 'finalized', 'firstShred', 'completed', 'createdBank'];
const SLOTS_TO_FINALITY = 32;

/** A short text for an update: its kind and its distinguishing value. */
function describeUpdate({ account, transaction, block, blockMeta, entry, slot }: SubscribeUpdate): string {
  if (account) return `account ${account.account?.lamports}`;
  if (transaction) return `transaction ${transaction.transaction?.index}`;
  if (block) return 'block';
  if (blockMeta) return 'meta';
  if (entry) return 'entry';
  return `${STATUS[slot?.status ?? -1]}`;
}

const everything = {
  accounts: { a: { nonemptyTxnSignature: false } },
  transactions: { t: {} },
  blocks: { b: {} },
  blocksMeta: { m: {} },
  entry: { e: {} },
  slots: { s: {} },
};

test('at processed, updates arrive as they happen, and the block at its end', async () => {
  const { network, url } = await startGeyser();
  const [wallet, account] = [await newWallet(network), await newAddress()];
  const stream = await subscribe(url, everything);
  network.setAccount(account, accountOf({ lamports: 1n }));
  await pay(network, wallet, await newAddress());
  network.setAccount(account, accountOf({ lamports: 2n }));
  expect((await stream.takeUpdates()).map(describeUpdate)).toEqual([
    'account 1',
    'transaction 0',
    'account 2',
  ]);
  network.tick();
  expect((await stream.takeUpdates()).map(describeUpdate)).toEqual([
    'entry',
    'block',
    'meta',
    'processed',
    'confirmed',
  ]);
});

test.each([
  [CommitmentLevel.CONFIRMED, 1],
  [CommitmentLevel.FINALIZED, SLOTS_TO_FINALITY],
])('at commitment %i a slot is complete %i slots later, with its last writes', async (commitment, ticks) => {
  const { network, url } = await startGeyser();
  const [wallet, account, other] = [await newWallet(network), await newAddress(), await newAddress()];
  network.tick();
  const stream = await subscribe(url, { ...everything, commitment });
  const slot = String(network.slot('processed'));
  network.setAccount(account, accountOf({ lamports: 1n }));
  network.setAccount(other, accountOf({ lamports: 2n }));
  await pay(network, wallet, await newAddress());
  network.setAccount(account, accountOf({ lamports: 3n }));
  const slotOf = ({ account, transaction, block, blockMeta, entry, slot }: SubscribeUpdate) =>
    (account ?? transaction ?? block ?? blockMeta ?? entry ?? slot)?.slot;
  for (let n = 0; n < ticks; n += 1) {
    expect((await stream.takeUpdates()).filter((update) => slotOf(update) === slot && !update.slot)).toEqual(
      [],
    );
    network.tick();
  }
  const level = STATUS[commitment] as string;
  const updates = (await stream.settled()).filter((update) => slotOf(update) === slot).map(describeUpdate);
  const before = level === 'confirmed' ? ['processed'] : [];
  expect(updates).toEqual([
    ...before,
    'account 2',
    'transaction 0',
    'account 3',
    'entry',
    'block',
    'meta',
    level,
  ]);
});

test('write versions only increase, at every commitment and across slots', async () => {
  const { network, url } = await startGeyser();
  const accounts = await Promise.all([1, 2, 3].map(newAddress));
  const streams = await Promise.all(
    [CommitmentLevel.PROCESSED, CommitmentLevel.CONFIRMED, CommitmentLevel.FINALIZED].map((commitment) =>
      subscribe(url, { accounts: { all: {} }, commitment }),
    ),
  );
  for (let round = 0; round < 6; round += 1) {
    for (const account of [...accounts, ...accounts]) {
      network.setAccount(account, accountOf({ lamports: BigInt(round + 1) }));
    }
    network.tick();
  }
  for (let n = 0; n < SLOTS_TO_FINALITY; n += 1) network.tick();
  const counts = [];
  for (const stream of streams) {
    const order = (await stream.settled()).map(({ account }) => [
      Number(account?.slot),
      Number(account?.account?.writeVersion),
    ]);
    expect(order).toEqual(
      [...order].sort(([a, b], [c, d]) => Number(a) - Number(c) || Number(b) - Number(d)),
    );
    counts.push(order.length);
  }
  expect(counts).toEqual([36, 18, 18]);
});

test('slot statuses of every commitment reach every stream', async () => {
  const { network, url } = await startGeyser();
  const commitment = CommitmentLevel.CONFIRMED;
  const stream = await subscribe(url, {
    commitment,
    slots: {
      statuses: {},
      lifeCycle: { interslotUpdates: true },
      own: { filterByCommitment: true },
    },
  });
  network.tick();
  const updates = (await stream.settled()).map((update) => [
    describeUpdate(update),
    update.filters,
    update.slot?.parent,
  ]);
  const [slot, parent] = [network.slot('confirmed'), network.slot('confirmed') - 1].map(String);
  expect(updates).toEqual([
    ['completed', ['lifeCycle'], undefined],
    ['processed', ['lifeCycle', 'statuses'], parent],
    ['firstShred', ['lifeCycle'], undefined],
    ['createdBank', ['lifeCycle'], slot],
    ['confirmed', ['lifeCycle', 'own', 'statuses'], parent],
  ]);
});

test('a slot is finalized 32 slots later, and blocks form one chain', async () => {
  const { network, url } = await startGeyser();
  const stream = await subscribe(url, { slots: { s: {} }, blocksMeta: { m: {} } });
  network.tick();
  network.travel({ slot: network.slot('processed') + 10_000 });
  for (let n = 0; n < SLOTS_TO_FINALITY; n += 1) network.tick();
  const updates = await stream.settled();
  const metas = updates.flatMap(({ blockMeta }) => blockMeta ?? []);
  // After the time travel one block is finalized and one is confirmed.
  expect(metas).toHaveLength(4 + SLOTS_TO_FINALITY);
  metas.slice(1).forEach((meta, index) => {
    expect(meta.parentSlot).toBe(metas[index]?.slot);
    expect(meta.parentBlockhash).toBe(metas[index]?.blockhash);
  });
  expect(Number(metas[3]?.slot) - Number(metas[1]?.slot)).toBe(9_999);
  const finalized = updates.flatMap(({ slot }) => (slot?.status === 2 ? slot.slot : []));
  expect(finalized).toEqual(metas.slice(0, 5).map(({ slot }) => slot));
});

test('a block contains the parts that the filter selects', async () => {
  const { network, url } = await startGeyser();
  const [alice, bob, shop] = [await newWallet(network), await newWallet(network), await newAddress()];
  network.tick();
  const stream = await subscribe(url, {
    blocks: {
      plain: {},
      bare: { includeTransactions: false },
      full: { includeAccounts: true, includeEntries: true },
      bobs: { accountInclude: [bob.address], includeAccounts: true },
    },
    accountsDataSlice: [{ offset: '0', length: '1' }],
  });
  await pay(network, alice, shop);
  await pay(network, bob, shop);
  network.setAccount(shop, accountOf({ data: Uint8Array.of(1, 2, 3) }));
  network.tick();
  const blocks = new Map(
    (await stream.settled()).map(({ filters, block }) => [filters.join(), block] as const),
  );
  const sizes = [...blocks]
    .sort()
    .map(([name, block]) => [
      name,
      block?.transactions.length,
      block?.accounts.length,
      block?.entries.length,
    ]);
  expect(sizes).toEqual([
    ['bare', 0, 0, 0],
    ['bobs', 1, 1, 0],
    ['full', 2, 3, 1],
    ['plain', 2, 0, 0],
  ]);
  for (const block of blocks.values()) {
    expect(block).toMatchObject({
      slot: String(network.slot('confirmed')),
      parentSlot: String(network.slot('confirmed') - 1),
      blockHeight: { blockHeight: String(network.blockHeight('confirmed')) },
      blockhash: network.latestBlockhash('confirmed').blockhash,
      executedTransactionCount: '2',
      updatedAccountCount: '3',
      entriesCount: '1',
    });
  }
  const shopData = blocks
    .get('full')
    ?.accounts.find(({ pubkey }) => Buffer.compare(pubkey, keyBytes(shop)) === 0)?.data;
  expect([...(shopData ?? [])]).toEqual([1]);
});
