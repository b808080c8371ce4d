import type { Address, Signature } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { describe, expect, test } from 'vitest';
import { encodeBase58 } from '../../../src/base58/base58.ts';
import {
  EVENT_AUTHORITY,
  NO_ADDRESS,
  PROGRAM,
  tokenAccountAddress,
} from '../../../src/chain/accounts/addresses.ts';
import { touchedAccounts } from '../../../src/chain/accounts/touched-accounts.ts';
import type { ChainInstruction, ChainTransaction } from '../../../src/chain/rpc/chain-transaction.ts';
import { fromRpc, joinInstructions, MAX_DATA_BYTES } from '../../../src/chain/rpc/chain-transaction.ts';
import { MEMO_PROGRAM, TOKEN_2022_PROGRAM } from '../../../src/chain/rpc/programs-read.ts';
import { decodeEvents, EventLayoutError } from '../../../src/chain/transactions/program-events.ts';
import { refundTransfers } from '../../../src/chain/transactions/refund-transactions.ts';
import { packed, padded } from '../../localnet/program/packed-bytes.ts';
import { addressOf } from '../numbered-addresses.ts';

const TAG = Uint8Array.from([0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d]);
const [plan, subscriber, mint, payer, receiver, puller] = [0, 1, 2, 3, 4, 5].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const subscription = 'SysvarEpochSchedu1e111111111111111111111111' as Address;

function transactionOf(
  instructions: readonly ChainInstruction[],
  changes: Partial<ChainTransaction> = {},
): ChainTransaction {
  return {
    signature: '' as Signature,
    slot: 1n,
    blockTime: null,
    err: null,
    feeLamports: 5_000n,
    accountKeys: [],
    instructions,
    logs: [],
    ...changes,
  };
}

function eventOf(data: Uint8Array, changes: Partial<ChainInstruction> = {}): ChainInstruction {
  return { program: PROGRAM, accounts: [EVENT_AUTHORITY], data, innerIndex: 3, ...changes };
}

// Every field in the order of the IDL of release 0.5.
const CREATED = packed(TAG, 0, plan, subscriber, mint, 1_800_000_000n, payer);
const CANCELLED = packed(TAG, 1, plan, subscriber, 1_800_000_001n);
const TRANSFER = packed(
  ...[TAG, 2, subscription, plan, subscriber, mint, 5n, 1_800_000_000n, 1_800_003_600n, 9n],
  ...[payer, receiver, puller],
);
const RESUMED = packed(TAG, 5, plan, subscriber, 1_800_000_002n);
const UPDATED = packed(TAG, 6, plan, payer, 1, 1_900_000_000n, puller, NO_ADDRESS, mint, NO_ADDRESS);

const transfer = {
  type: 'transfer',
  index: 3,
  subscription,
  plan,
  subscriber,
  mint,
  amount: 5n,
  periodStart: 1_800_000_000n,
  periodEnd: 1_800_003_600n,
  pulled: 9n,
  puller,
};
const EVENTS: [string, Uint8Array, object][] = [
  ['created', CREATED, { type: 'created', index: 3, plan, subscriber, mint, createdAt: 1_800_000_000n }],
  ['cancelled', CANCELLED, { type: 'cancelled', index: 3, plan, subscriber, expiresAt: 1_800_000_001n }],
  ['transfer', TRANSFER, transfer],
  ['resumed', RESUMED, { type: 'resumed', index: 3, plan, subscriber, resumedAt: 1_800_000_002n }],
  [
    'planUpdated',
    UPDATED,
    {
      type: 'planUpdated',
      index: 3,
      plan,
      owner: payer,
      active: true,
      endsAt: 1_900_000_000n,
      pullers: [puller, mint],
    },
  ],
];

describe('an event', () => {
  test.each(EVENTS)('%s is read, even with bytes that a later release appends', (_, data, expected) => {
    expect(decodeEvents(transactionOf([eventOf(data)]))).toEqual([expected]);
    expect(decodeEvents(transactionOf([eventOf(packed(data, padded('more', 20)))]))).toEqual([expected]);
  });

  test.each<[string, Uint8Array, object]>([
    ['created without the payer', CREATED.subarray(0, -32), { type: 'created' }],
    ['transfer without the puller', TRANSFER.subarray(0, -32), { ...transfer, puller: null }],
    ['transfer without the receiver', TRANSFER.subarray(0, -96), { ...transfer, puller: null }],
    ['planUpdated with fewer pullers', UPDATED.subarray(0, -96), { type: 'planUpdated', pullers: [puller] }],
  ])('%s of an older release is read', (_, data, expected) => {
    expect(decodeEvents(transactionOf([eventOf(data)]))).toMatchObject([expected]);
  });

  test.each([
    ['created', CREATED.subarray(0, -33)],
    ['cancelled', CANCELLED.subarray(0, -1)],
    ['transfer', TRANSFER.subarray(0, -97)],
    ['resumed', RESUMED.subarray(0, 9)],
    ['planUpdated', UPDATED.subarray(0, 70)],
  ])('%s without its required fields is an error', (_, data) => {
    expect(() => decodeEvents(transactionOf([eventOf(data)]))).toThrow(EventLayoutError);
  });

  test.each<[string, ChainInstruction]>([
    ['of another program', eventOf(TRANSFER, { program: mint })],
    ['called by the transaction itself', eventOf(TRANSFER, { innerIndex: null })],
    ['with another account', eventOf(TRANSFER, { accounts: [mint] })],
    ['without an account', eventOf(TRANSFER, { accounts: [] })],
    ['with another tag', eventOf(packed(0, TRANSFER))],
    ['of an unknown kind', eventOf(packed(TAG, 77, TRANSFER))],
    ['with nothing after its tag', eventOf(TAG)],
  ])('%s is not an event', (_, instruction) => {
    expect(decodeEvents(transactionOf([instruction]))).toEqual([]);
  });

  test('of a failed transaction is ignored', () => {
    const err = { name: 'Custom', instruction: 1, custom: 400 };
    expect(decodeEvents(transactionOf([eventOf(TRANSFER)], { err }))).toEqual([]);
  });
});

test('inner instructions follow their outer one, with one numbering for all', () => {
  const keys = [PROGRAM, MEMO_PROGRAM, plan];
  const call = (programIdIndex: number, byte: number) => ({
    programIdIndex,
    accounts: [2],
    isLong: false,
    readData: () => Uint8Array.of(byte),
  });
  const joined = joinInstructions(
    keys,
    [call(0, 10), call(1, 20), call(0, 30)],
    // A node may list them in any order.
    [
      { index: 2, instructions: [call(1, 31)] },
      { index: 0, instructions: [call(1, 11), call(0, 12)] },
    ],
  );
  expect(joined.map(({ data, innerIndex, program }) => [data[0], innerIndex, program])).toEqual([
    [10, null, PROGRAM],
    [11, 0, MEMO_PROGRAM],
    [12, 1, PROGRAM],
    [20, null, MEMO_PROGRAM],
    [30, null, PROGRAM],
    [31, 2, MEMO_PROGRAM],
  ]);
  expect(joined[0]?.accounts).toEqual([plan]);
  expect(() => joinInstructions(keys, [call(9, 0)], [])).toThrow('account 9, but there are 3');
});

describe('the data of an instruction', () => {
  /** A 0 is no digit of base 58, so decoding this text is an error. */
  const UNDECODABLE = '0'.repeat(14_000);
  const LONG = Uint8Array.of(3, ...new Uint8Array(10 * 1_024));
  /** A transaction from the RPC: a call of `program` that makes 63 inner calls of it. */
  const landed = (program: Address, data: string) => {
    const call = { programIdIndex: 0, accounts: [1, 2], data, stackHeight: 1 };
    const response = {
      slot: 1n,
      blockTime: null,
      meta: { err: null, fee: 5_000n, innerInstructions: [{ index: 0, instructions: Array(63).fill(call) }] },
      transaction: { message: { accountKeys: [program, payer, subscription], instructions: [call] } },
    };
    return fromRpc('' as Signature, response as unknown as Parameters<typeof fromRpc>[1]);
  };

  test('of a program that dues does not read is never decoded', () => {
    const { instructions } = landed(mint, UNDECODABLE);
    expect(instructions.map(({ data }) => data.length)).toEqual(Array(64).fill(0));
  });

  test.each([
    ['the program', PROGRAM],
    ['the memo program', MEMO_PROGRAM],
    ['the token program', TOKEN_PROGRAM_ADDRESS],
    ['the token program with extensions', TOKEN_2022_PROGRAM],
  ])('of %s is decoded when it is read', (_, program) => {
    const [undecoded] = landed(program, UNDECODABLE.slice(0, 1_399)).instructions;
    expect(() => undecoded?.data).toThrow(RangeError);
    const most = new Uint8Array(MAX_DATA_BYTES).fill(255);
    expect(landed(program, encodeBase58(most)).instructions[0]?.data).toEqual(most);
  });

  test('of the program is decoded however long it is, and its first bytes are kept', () => {
    const [, inner] = landed(PROGRAM, encodeBase58(LONG)).instructions;
    expect(inner?.data).toEqual(LONG.slice(0, MAX_DATA_BYTES));
  });

  test.each([
    ['a memo', MEMO_PROGRAM],
    ['the token program', TOKEN_PROGRAM_ADDRESS],
    ['the token program with extensions', TOKEN_2022_PROGRAM],
  ])('of %s is never decoded if it is longer than what is kept', (_, program) => {
    const { instructions } = landed(program, UNDECODABLE);
    expect(instructions.map(({ data }) => data.length)).toEqual(Array(64).fill(0));
  });

  test('of a token transfer is decoded only if it names the accounts of the refund', async () => {
    const refund = {
      merchant: payer,
      customer: receiver,
      mint,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      amount: 5n,
      reference: puller,
    };
    const destination = await tokenAccountAddress(receiver, mint, TOKEN_PROGRAM_ADDRESS);
    const transfersOf = (accounts: Address[], data: () => Uint8Array) =>
      refundTransfers(
        transactionOf([
          {
            program: TOKEN_PROGRAM_ADDRESS,
            accounts,
            innerIndex: null,
            get data() {
              return data();
            },
          },
        ]),
        refund,
      );
    const transfer = () => Uint8Array.of(3, 5, 0, 0, 0, 0, 0, 0, 0);
    const paying = [subscription, destination, payer, puller];
    expect(await transfersOf(paying, transfer)).toEqual([{ index: 0, amount: 5n }]);
    expect(await transfersOf(paying, () => transfer().subarray(0, 8))).toEqual([]);
    const checked = [subscription, mint, destination, payer, puller];
    expect(await transfersOf(checked, transfer)).toEqual([]);
    const unread = () => {
      throw new Error('the data was read');
    };
    for (const accounts of [
      [destination, destination, payer, puller],
      [subscription, receiver, payer, puller],
      [subscription, destination, receiver, puller],
      [subscription, destination, payer, mint],
      [subscription, mint, destination, payer],
      [],
    ]) {
      expect(await transfersOf(accounts, unread)).toEqual([]);
    }
  });

  test('of a call that is no event is not decoded in the search for events', () => {
    expect(decodeEvents(landed(PROGRAM, UNDECODABLE))).toEqual([]);
  });

  test('closes an account however long it is', () => {
    const closed = { address: subscription, kind: 'subscription', actor: payer };
    expect(touchedAccounts(landed(PROGRAM, encodeBase58(LONG)))).toEqual([closed]);
  });
});

describe('the accounts that a transaction closes', () => {
  const call = (kind: number, accounts: Address[], innerIndex: number | null = null) =>
    eventOf(Uint8Array.of(kind), { accounts, innerIndex });

  test.each([
    [3, 'subscription', [payer, subscription, plan]],
    [6, 'authority', [payer, subscription]],
    [9, 'plan', [payer, subscription]],
    [14, 'authority', [payer, receiver, mint, puller, subscription]],
    [15, 'subscription', [payer, subscription, mint]],
    [16, 'subscription', [payer, subscription, mint, plan]],
  ])('instruction %i, called by the transaction or by a program', (kind, what, accounts) => {
    const touched = [{ address: subscription, kind: what, actor: payer }];
    expect(touchedAccounts(transactionOf([call(kind, accounts)]))).toEqual(touched);
    expect(touchedAccounts(transactionOf([call(kind, accounts, 4), call(kind, accounts)]))).toEqual(touched);
  });

  test('are none for other programs, other instructions or failed transactions', () => {
    const close = call(3, [payer, subscription, plan]);
    const err = { name: 'Custom', instruction: 0, custom: 510 };
    expect(touchedAccounts(transactionOf([{ ...close, program: mint }]))).toEqual([]);
    expect(
      touchedAccounts(transactionOf([call(12, [payer, plan, subscription]), eventOf(CANCELLED)])),
    ).toEqual([]);
    expect(touchedAccounts(transactionOf([close], { err }))).toEqual([]);
    expect(touchedAccounts(transactionOf([call(3, [])]))).toEqual([]);
  });
});
