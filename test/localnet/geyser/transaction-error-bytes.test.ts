import { txErrDecode } from '@triton-one/yellowstone-grpc';
import { expect, test } from 'vitest';
import { transactionErrorBytes } from '../../../localnet/geyser/transaction-error-bytes.ts';
import type { TransactionError } from '../../../localnet/transaction-error.ts';

/** The names of the variants in Agave's order, as the client decodes them; '' if one has fields. */
function namesOf(decodeVariant: (position: number) => unknown): string[] {
  const names: string[] = [];
  for (let position = 0; ; position += 1) {
    try {
      const error = decodeVariant(position);
      names.push(typeof error === 'string' ? error : '');
    } catch {
      return names;
    }
  }
}

const manyZeros = [0, 0, 0, 0, 0, 0, 0, 0, 0];

test('every error without fields is encoded so that the client decodes it', () => {
  const names = namesOf((position) => txErrDecode.decode(Uint8Array.of(position, ...manyZeros)));
  expect(names).toHaveLength(39);
  for (const name of names.filter(Boolean)) {
    expect(txErrDecode.decode(transactionErrorBytes(name))).toBe(name);
  }
});

test('every instruction error without fields is encoded so that the client decodes it', () => {
  const names = namesOf((position) => {
    const bytes = Uint8Array.of(8, 0, 0, 0, 0, position, ...manyZeros);
    const decoded = txErrDecode.decode(bytes) as unknown as { InstructionError: [number, unknown] };
    return decoded.InstructionError[1];
  });
  expect(names).toHaveLength(54);
  for (const name of names.filter(Boolean)) {
    const error = { InstructionError: [7, name] };
    expect(txErrDecode.decode(transactionErrorBytes(error))).toEqual(error);
  }
});

test.each<TransactionError>([
  { InstructionError: [0, { Custom: 1 }] },
  { InstructionError: [18, { Custom: 4_294_967_295 }] },
  { DuplicateInstruction: 3 },
  { InsufficientFundsForRent: { account_index: 9 } },
  { ProgramExecutionTemporarilyRestricted: { account_index: 200 } },
])('an error keeps its fields: %j', (error) => {
  expect(txErrDecode.decode(transactionErrorBytes(error))).toEqual(error);
});

test('the text of a Borsh error is left out, as in Agave', () => {
  const bytes = transactionErrorBytes({ InstructionError: [1, { BorshIoError: 'too short' }] });
  expect(txErrDecode.decode(bytes)).toEqual({ InstructionError: [1, 'BorshIoError'] });
});

test.each<[TransactionError, TransactionError]>([
  ['Unknown(77)', { InstructionError: [0, 'GenericError'] }],
  [{ Unheard: { of: 1 } }, { InstructionError: [0, 'GenericError'] }],
  [{ InstructionError: [3, 'Unknown(77)'] }, { InstructionError: [3, 'GenericError'] }],
])('%j, which Agave does not know, is encoded as %j', (unknown, expected) => {
  expect(txErrDecode.decode(transactionErrorBytes(unknown))).toEqual(expected);
});
