import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { transactionErrorOf } from '../../localnet/transaction-error.ts';

const declarations = readFileSync(
  createRequire(import.meta.url)
    .resolve('litesvm/dist/internal.js')
    .replace(/js$/, 'd.ts'),
  'utf8',
);

/** The members of an enum that LiteSVM declares, with their numbers. */
function readEnum(name: string): [number: number, name: string][] {
  const [, body = ''] = new RegExp(`const enum ${name} \\{([^}]*)\\}`).exec(declarations) ?? [];
  return [...body.matchAll(/(\w+) = (\d+)/g)].map(([, member = '', number]) => [Number(number), member]);
}

test("LiteSVM's numbers of transaction errors match its declarations", () => {
  const errors = readEnum('TransactionErrorFieldless');
  expect(errors).toHaveLength(35);
  for (const [number, name] of errors) expect(transactionErrorOf(number)).toBe(name);
});

test("LiteSVM's numbers of instruction errors match its declarations", () => {
  const errors = readEnum('InstructionErrorFieldless');
  expect(errors).toHaveLength(53);
  for (const [number, name] of errors) {
    const error = transactionErrorOf({ index: 3, err: () => number });
    expect(error).toEqual({ InstructionError: [3, name] });
  }
});

test('a number that LiteSVM does not declare is named as unknown', () => {
  expect(transactionErrorOf(77)).toBe('Unknown(77)');
  expect(transactionErrorOf({ index: 0, err: () => 77 })).toEqual({ InstructionError: [0, 'Unknown(77)'] });
});
