import type { Signature } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as facts from '../../../src/chain/accounts/account-facts.ts';
import * as accounts from '../../../src/chain/accounts/accounts.ts';
import { EVENT_AUTHORITY, PROGRAM } from '../../../src/chain/accounts/addresses.ts';
import { dateOf } from '../../../src/chain/chain-time.ts';
import { decodeEvents } from '../../../src/chain/transactions/program-events.ts';
import { publishedState } from '../../../src/domain/catalog/plan/published-state.ts';

const [MIN_COLUMN, MAX_COLUMN] = [-(2n ** 63n), 2n ** 63n - 1n];
const EVENT_TAG = [0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d];

/** Random bytes that often hold the largest and the smallest numbers. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 32 }),
      fc.constantFrom(0x00, 0x7f, 0x80, 0xff).map((byte) => new Uint8Array(32).fill(byte)),
    ),
    { minLength: 24, maxLength: 60 },
  )
  .map((parts) => new Uint8Array(Buffer.concat(parts)));

/** All decoders of accounts, by name. Each gets the first byte of the account that it reads. */
const DECODERS = Object.entries({ ...accounts, ...facts }).filter(
  ([name]) => name.startsWith('decode') || name.endsWith('Facts'),
) as [string, (data: Uint8Array) => unknown][];

function expectHeld(decoded: unknown): void {
  if (typeof decoded === 'bigint') {
    expect(decoded).toBeGreaterThanOrEqual(MIN_COLUMN);
    expect(decoded).toBeLessThanOrEqual(MAX_COLUMN);
  } else if (typeof decoded === 'object' && decoded !== null) {
    for (const value of Object.values(decoded)) expectHeld(value);
  }
}

describe('whatever bytes are on chain', () => {
  it('every number of an account fits a bigint column', () => {
    expect(DECODERS.length).toBeGreaterThanOrEqual(6);
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        for (const [, decode] of DECODERS) {
          // The first byte says which account it is: one of the known kinds for each decoder.
          for (const kind of [0, 1, 4]) {
            const data = bytes.slice();
            data[0] = kind;
            try {
              expectHeld(decode(data));
            } catch (error) {
              if (!(error instanceof accounts.AccountLayoutError)) throw error;
            }
          }
        }
      }),
    );
  });

  it('every number of an event fits a bigint column', () => {
    fc.assert(
      fc.property(anyBytes, fc.integer({ min: 0, max: 7 }), (bytes, kind) => {
        const data = new Uint8Array([...EVENT_TAG, kind, ...bytes]);
        const event = { program: PROGRAM, accounts: [EVENT_AUTHORITY], data, innerIndex: 0 };
        expectHeld(
          decodeEvents({
            ...{ signature: '' as Signature, slot: 1n, blockTime: null, err: null, feeLamports: 0n },
            ...{ accountKeys: [], instructions: [event], logs: [] },
          }),
        );
      }),
    );
  });

  it('every time becomes a date that a column accepts', () => {
    const isStorable = (date: Date) => {
      expect(date.toISOString()).toMatch(/^\d{4}-/);
    };
    fc.assert(fc.property(fc.bigInt(MIN_COLUMN, MAX_COLUMN), (seconds) => isStorable(dateOf(seconds))));
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const data = bytes.slice();
        data[0] = 1;
        if (data.length < accounts.bytesOf('plan')) return;
        const { endsAt } = publishedState(accounts.decodePlan(data), new Date());
        if (endsAt) isStorable(endsAt);
      }),
    );
  });
});
