import type { Address } from '@solana/kit';
import { PublicKey } from '@solana/web3.js';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChainAccount } from '../../../src/chain/accounts/read-accounts.ts';
import {
  MAX_RECEIVING_ACCOUNTS,
  obstacleTo,
  receivingAddresses,
  receivingSeed,
} from '../../../src/chain/accounts/receiving-accounts.ts';

const anyAddress = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => new PublicKey(bytes).toBase58() as Address);

it('addresses are those of the official derivation, and none is used twice', async () => {
  await fc.assert(
    fc.asyncProperty(anyAddress, anyAddress, anyAddress, async (owner, mint, otherMint) => {
      fc.pre(mint !== otherMint);
      const asset = { owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS };
      const addresses = await receivingAddresses(asset, MAX_RECEIVING_ACCOUNTS);
      const others = await receivingAddresses({ ...asset, mint: otherMint }, MAX_RECEIVING_ACCOUNTS);
      expect(new Set([...addresses, ...others]).size).toBe(2 * MAX_RECEIVING_ACCOUNTS);
      expect(await receivingAddresses(asset, 3)).toEqual(addresses.slice(0, 3));
      const seed = receivingSeed(mint, 8);
      expect(Buffer.byteLength(seed)).toBeLessThanOrEqual(32);
      const official = await PublicKey.createWithSeed(
        new PublicKey(owner),
        seed,
        new PublicKey(TOKEN_PROGRAM_ADDRESS),
      );
      expect(addresses[7]).toBe(official.toBase58());
    }),
    { numRuns: 30 },
  );
});

describe('a token account', () => {
  const key = (byte: number) => new Uint8Array(32).fill(byte);
  const addressOf = (byte: number) => new PublicKey(key(byte)).toBase58() as Address;
  const asset = { owner: addressOf(2), mint: addressOf(1), tokenProgram: TOKEN_PROGRAM_ADDRESS };

  /** An initialized account of the owner, with these bytes replaced. */
  function accountWith(changes: readonly (readonly [number, Uint8Array | number])[] = []): ChainAccount {
    const data = new Uint8Array(165);
    const all = [[0, key(1)], [32, key(2)], [108, 1], ...changes] as const;
    for (const [at, value] of all) data.set(typeof value === 'number' ? [value] : value, at);
    return {
      ...{ address: addressOf(9), owner: asset.tokenProgram, lamports: 2_039_280n, executable: false },
      ...{ data, isLonger: false, slot: 1n },
    };
  }

  const given: readonly (readonly [string, ChainAccount | undefined, string | null, string | null])[] = [
    ['in order', accountWith(), null, null],
    ['that does not exist', undefined, 'missing', 'missing'],
    [
      'with only SOL',
      { ...accountWith(), owner: addressOf(0), data: new Uint8Array() },
      'missing',
      'missing',
    ],
    ['that is frozen', accountWith([[108, 2]]), 'frozen', 'frozen'],
    ['that is too short', { ...accountWith(), data: new Uint8Array(100) }, 'unreadable', 'unreadable'],
    ['that is too long', { ...accountWith(), isLonger: true }, 'unreadable', 'unreadable'],
    ['of another mint', accountWith([[0, key(7)]]), 'unreadable', 'unreadable'],
    ['of another owner', accountWith([[32, key(7)]]), 'other_owner', 'other_owner'],
    ['that is not initialized', accountWith([[0, new Uint8Array(109)]]), 'unreadable', 'unreadable'],
    ['with a delegate', accountWith([[72, 1], [76, key(7)]]), null, 'has_delegate'], // biome-ignore format: pairs
    ['with a close authority', accountWith([[129, 1], [133, key(7)]]), null, 'has_close_authority'], // biome-ignore format: pairs
  ];

  it.each(given)('%s is checked, and a further one more strictly', (_, account, associated, further) => {
    expect(obstacleTo(account, asset, 1)).toBe(associated);
    for (const number of [2, MAX_RECEIVING_ACCOUNTS])
      expect(obstacleTo(account, asset, number)).toBe(further);
  });
});
