import type { ReadonlyUint8Array } from '@solana/kit';
import { expect, test } from 'vitest';
import {
  AccountLayoutError,
  accountKind,
  decodeAuthority,
  decodePlan,
  decodeSubscription,
  decodeTokenAccount,
} from '../../../src/chain/accounts/accounts.ts';
import { NO_ADDRESS } from '../../../src/chain/accounts/addresses.ts';
import { packed, padded } from '../../localnet/program/packed-bytes.ts';
import { addressOf } from '../numbered-addresses.ts';

const owner = addressOf(1);
const mint = addressOf(2);
const plan = addressOf(3);
const payer = addressOf(4);
const other = addressOf(5);

// Every field in the order of the IDL of release 0.5.
const PLAN = packed(
  ...[1, owner, 254, 1, 7n, mint, 5_000_000n, 720n, 1_800_000_000n, 1_900_000_000n],
  ...[owner, NO_ADDRESS, NO_ADDRESS, NO_ADDRESS],
  ...[payer, other, NO_ADDRESS, NO_ADDRESS],
  padded('https://dues.example/plan', 128),
);
const SUBSCRIPTION = packed(
  ...[4, 1, 253, owner, plan, payer, 447_000_000n, 5_000_000n, 720n, 1_800_000_000n],
  ...[4_000_000n, 1_810_000_000n, 1_820_000_000n],
);
const AUTHORITY = packed(0, owner, mint, payer, 252, 447_000_000n);
const SPL_TOKEN = packed(
  ...[mint, owner, 42n, Uint8Array.of(1, 0, 0, 0), other, 2, Uint8Array.of(0, 0, 0, 0), 0n, 7n],
  ...[Uint8Array.of(1, 0, 0, 0), payer],
);

const LAYOUTS: [string, Uint8Array, number, (data: ReadonlyUint8Array) => unknown, unknown][] = [
  [
    'plan',
    PLAN,
    491,
    decodePlan,
    {
      owner,
      active: true,
      chainPlanId: 7n,
      mint,
      amount: 5_000_000n,
      periodHours: 720n,
      createdAt: 1_800_000_000n,
      endsAt: 1_900_000_000n,
      destinations: [owner],
      pullers: [payer, other],
      metadataUri: 'https://dues.example/plan',
    },
  ],
  [
    'subscription',
    SUBSCRIPTION,
    155,
    decodeSubscription,
    {
      subscriber: owner,
      plan,
      payer,
      initId: 447_000_000n,
      amount: 5_000_000n,
      periodHours: 720n,
      planCreatedAt: 1_800_000_000n,
      pulled: 4_000_000n,
      periodStart: 1_810_000_000n,
      expiresAt: 1_820_000_000n,
    },
  ],
  ['authority', AUTHORITY, 106, decodeAuthority, { user: owner, mint, initId: 447_000_000n }],
  [
    'token account',
    SPL_TOKEN,
    165,
    decodeTokenAccount,
    { mint, owner, amount: 42n, delegate: other, delegatedAmount: 7n, frozen: true, closeAuthority: payer },
  ],
];

test.each(LAYOUTS)(
  'a %s is read, even with bytes that a later release appends',
  (_, data, length, decode, expected) => {
    expect(data.length).toBe(length);
    expect(decode(data)).toEqual(expected);
    expect(decode(packed(data, padded('more', 20)))).toEqual(expected);
  },
);

test.each(LAYOUTS)('a %s that is too short is refused', (what, data, length, decode) => {
  for (const cut of [0, 1, length - 1]) {
    expect(() => decode(data.subarray(0, cut))).toThrow(AccountLayoutError);
    expect(() => decode(data.subarray(0, cut))).toThrow(`Not a ${what}: ${cut} bytes`);
  }
});

test('accounts are distinguished by their first byte', () => {
  expect([AUTHORITY, PLAN, SUBSCRIPTION].map(accountKind)).toEqual(['authority', 'plan', 'subscription']);
  expect(accountKind(new Uint8Array())).toBeNull();
  expect(accountKind(PLAN.subarray(0, 490))).toBeNull();
  // A fixed delegation, which dues does not use.
  expect(accountKind(packed(2, padded('', 300)))).toBeNull();
  expect(() => decodeAuthority(PLAN)).toThrow('the first byte is 1 instead of 0');
});
