import { expect, it } from 'vitest';
import {
  fateOf,
  isFinalFailure,
  isFinalSuccess,
  type SignatureOutcome,
} from '../../../src/chain/rpc/signature-outcomes.ts';

const ERROR = { InstructionError: [0, { Custom: 400 }] } as const;
const landed = (commitment: 'processed' | 'confirmed' | 'finalized', err: typeof ERROR | null = null) =>
  ({ state: 'landed', slot: 7n, err, commitment }) as SignatureOutcome;
const unseen = (blockHeight: bigint): SignatureOutcome => ({ state: 'unseen', blockHeight, slot: 7n });

it.each([
  ['unseen below its last valid height', unseen(99n), 'open'],
  ['unseen at its last valid height', unseen(100n), 'open'],
  ['unseen above its last valid height', unseen(101n), 'expired'],
  ['processed, and its fork may vanish', landed('processed'), 'open'],
  ['processed with an error', landed('processed', ERROR), 'open'],
  ['confirmed', landed('confirmed'), 'succeeded'],
  ['finalized', landed('finalized'), 'succeeded'],
  ['confirmed with an error', landed('confirmed', ERROR), 'failed'],
  ['finalized with an error', landed('finalized', ERROR), 'failed'],
] as const)('a transaction that is %s', (_, outcome, fate) => {
  expect(fateOf(outcome, 100n)).toBe(fate);
  const isFinal = outcome.state === 'landed' && outcome.commitment === 'finalized';
  expect(isFinalSuccess(outcome)).toBe(isFinal && fate === 'succeeded');
  expect(isFinalFailure(outcome)).toBe(isFinal && fate === 'failed');
});

it('a transaction without an outcome is neither', () => {
  expect([isFinalSuccess(undefined), isFinalFailure(undefined)]).toEqual([false, false]);
});
