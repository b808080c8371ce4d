import type { Address } from '@solana/kit';
import type { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { expect, test } from 'vitest';
import { startGeyser, subscribe } from './client.ts';
import {
  accountOf,
  keyBytes,
  newAddress,
  newWallet,
  pay,
  SOME_PROGRAM,
  tokenAccountData,
} from './transactions.ts';

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address;

/** The filters that have passed updates of the address. */
function filtersFor(updates: readonly SubscribeUpdate[], address: Address): string[] {
  const key = keyBytes(address);
  const matching = updates.filter(
    ({ account }) => Buffer.compare(account?.account?.pubkey ?? key, key) === 0,
  );
  return matching.flatMap(({ filters }) => filters).sort();
}

test('each account filter passes exactly what matches all its conditions', async () => {
  const { network, url } = await startGeyser();
  const [listed, owned, token, rich] = await Promise.all([1, 2, 3, 4].map(newAddress));
  if (!listed || !owned || !token || !rich) throw new Error('expected four addresses');
  const stream = await subscribe(url, {
    accounts: {
      all: {},
      listed: { account: [listed] },
      owner: { owner: [SOME_PROGRAM] },
      ownerOrOther: { owner: [TOKEN_PROGRAM, SOME_PROGRAM] },
      listedAndOwned: { account: [listed], owner: [SOME_PROGRAM] },
      size: { filters: [{ datasize: '5' }] },
      bytes: { filters: [{ memcmp: { offset: '1', bytes: Uint8Array.of(8, 7) } }] },
      base58: { filters: [{ memcmp: { offset: '0', base58: '4Z' } }] },
      base64: { filters: [{ memcmp: { offset: '3', base64: 'BgU=' } }] },
      beyond: { filters: [{ memcmp: { offset: '4', bytes: Uint8Array.of(5, 4) } }] },
      sizeOfOther: { owner: [SOME_PROGRAM], filters: [{ datasize: '4' }] },
      token: { filters: [{ tokenAccountState: true }] },
      eq: { filters: [{ lamports: { eq: '2000000' } }] },
      ne: { filters: [{ lamports: { ne: '1000000' } }] },
      gt: { filters: [{ lamports: { gt: '1000000' } }] },
      lt: { filters: [{ lamports: { lt: '1000001' } }] },
      between: { filters: [{ lamports: { gt: '1999999' } }, { lamports: { lt: '2000001' } }] },
      byTransaction: { nonemptyTxnSignature: true },
      byOther: { nonemptyTxnSignature: false },
    },
  });
  network.setAccount(listed, accountOf({}));
  network.setAccount(owned, accountOf({ owner: SOME_PROGRAM, data: Uint8Array.of(9, 8, 7, 6, 5) }));
  network.setAccount(token, accountOf({ owner: TOKEN_PROGRAM, data: tokenAccountData(listed, owned, 1n) }));
  network.setAccount(rich, accountOf({ lamports: 2_000_000n }));

  const updates = await stream.settled();
  expect(filtersFor(updates, listed)).toEqual(['all', 'byOther', 'listed', 'lt']);
  expect(filtersFor(updates, owned)).toEqual(
    ['all', 'byOther', 'base64', 'bytes', 'lt', 'owner', 'ownerOrOther', 'size'].sort(),
  );
  expect(filtersFor(updates, token)).toEqual(['all', 'byOther', 'lt', 'ownerOrOther', 'token']);
  expect(filtersFor(updates, rich)).toEqual(['all', 'between', 'byOther', 'eq', 'gt', 'ne']);
  expect(updates).toHaveLength(4);
});

test.each([
  { what: 'that is not initialized', change: { 108: 0 }, matches: false },
  { what: 'that is initialized', change: { 108: 1 }, matches: true },
  { what: 'that is frozen', change: { 108: 2 }, matches: true },
  { what: 'with an unknown state', change: { 108: 3 }, matches: true },
  { what: 'with extensions', length: 170, change: { 165: 2 }, matches: true },
  { what: 'that is an extended mint', length: 170, change: { 165: 1 }, matches: false },
  { what: 'with the length of a multisig', length: 355, change: { 165: 2 }, matches: false },
  { what: 'that is too short', length: 164, change: {}, matches: false },
])(
  'the tokenAccountState filter matches an account $what: $matches',
  async ({ length = 165, change, matches }) => {
    const { network, url } = await startGeyser();
    const stream = await subscribe(url, { accounts: { a: { filters: [{ tokenAccountState: true }] } } });
    const address = await newAddress();
    const data = new Uint8Array(length);
    data.set(tokenAccountData(address, address, 1n).subarray(0, length));
    for (const [offset, byte] of Object.entries(change)) data[Number(offset)] = byte;
    network.setAccount(address, accountOf({ data }));
    expect(await stream.settled()).toHaveLength(matches ? 1 : 0);
  },
);

test('memcmp accepts base58 as well as bytes', async () => {
  const { network, url } = await startGeyser();
  const [mint, owner, account] = await Promise.all([1, 2, 3].map(newAddress));
  if (!mint || !owner || !account) throw new Error('expected three addresses');
  const stream = await subscribe(url, {
    accounts: {
      ofOwner: { filters: [{ memcmp: { offset: '32', base58: owner } }] },
      ofMint: { filters: [{ memcmp: { offset: '32', base58: mint } }] },
    },
  });
  network.setAccount(account, accountOf({ data: tokenAccountData(mint, owner, 5n) }));
  expect((await stream.settled()).map(({ filters }) => filters)).toEqual([['ofOwner']]);
});

test('an account update has account, slot, write version and transaction', async () => {
  const { network, url } = await startGeyser();
  const from = await newWallet(network);
  const to = await newAddress();
  const stream = await subscribe(url, { accounts: { wallets: { account: [from.address, to] } } });
  const signature = await pay(network, from, to, 3_000_000n);
  network.setAccount(to, accountOf({ owner: SOME_PROGRAM, data: Uint8Array.of(1, 2), lamports: 2n ** 60n }));

  const [payer, receiver, overwritten] = (await stream.settled()).map(({ account }) => account);
  const slot = String(network.slot('processed'));
  expect(payer).toMatchObject({ slot, isStartup: false });
  expect(Buffer.from(payer?.account?.pubkey ?? [])).toEqual(Buffer.from(keyBytes(from.address)));
  expect(receiver?.account).toMatchObject({ lamports: '3000000', executable: false });
  expect(Buffer.from(receiver?.account?.txnSignature ?? [])).toEqual(Buffer.from(keyBytes(signature)));
  expect(overwritten?.account).toMatchObject({
    lamports: '1152921504606846976',
    executable: false,
    rentEpoch: '18446744073709551615',
    txnSignature: undefined,
  });
  expect([...(overwritten?.account?.data ?? [])]).toEqual([1, 2]);
  expect(Buffer.from(overwritten?.account?.owner ?? [])).toEqual(Buffer.from(keyBytes(SOME_PROGRAM)));
  const versions = [payer, receiver, overwritten].map((update) => Number(update?.account?.writeVersion));
  expect(versions).toEqual([...versions].sort((a, b) => a - b));
  expect(new Set(versions).size).toBe(3);
});

test('data slices are joined, and a slice that reaches past the end is left out', async () => {
  const { network, url } = await startGeyser();
  const [long, short] = await Promise.all([1, 2].map(newAddress));
  if (!long || !short) throw new Error('expected two addresses');
  const stream = await subscribe(url, {
    accounts: { all: {} },
    accountsDataSlice: [
      { offset: '1', length: '2' },
      { offset: '4', length: '3' },
    ],
  });
  network.setAccount(long, accountOf({ data: Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7) }));
  network.setAccount(short, accountOf({ data: Uint8Array.of(0, 1, 2, 3, 4, 5) }));
  const data = (await stream.settled()).map(({ account }) => [...(account?.account?.data ?? [])]);
  expect(data).toEqual([
    [1, 2, 4, 5, 6],
    [1, 2],
  ]);
});

test('a closed account does not match its former owner', async () => {
  const { network, url } = await startGeyser();
  const account = await newAddress();
  const stream = await subscribe(url, {
    accounts: { byOwner: { owner: [SOME_PROGRAM] }, byAddress: { account: [account] } },
  });
  network.setAccount(account, accountOf({ owner: SOME_PROGRAM, data: Uint8Array.of(4) }));
  network.setAccount(account, accountOf({ lamports: 0n }));
  expect(
    (await stream.settled()).map(({ filters, account }) => [filters, account?.account?.lamports]),
  ).toEqual([
    [['byAddress', 'byOwner'], '1000000'],
    [['byAddress'], '0'],
  ]);
});

test('an empty filter passes every account, also if the client omits it', async () => {
  const { network, url } = await startGeyser();
  const stream = await subscribe(url, {
    accounts: { everything: {} },
    slots: { each: {} },
    blocksMeta: { heads: {} },
  });
  network.setAccount(await newAddress(), accountOf({}));
  network.tick();
  const names = (await stream.settled()).flatMap(({ filters }) => filters);
  expect(names).toEqual(['everything', 'heads', 'each', 'each']);
});
