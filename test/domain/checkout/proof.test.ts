import { expect, it } from 'vitest';
import { isInTime } from '../../../src/domain/checkout/proof/proof.ts';

const expiresAt = new Date(1_000_000);

it.each([
  ['before the end of the session', 999n, true],
  ['at the end', 1_000n, true],
  ['at the last time at which a transaction of the session may land', 1_120n, true],
  ['one second later', 1_121n, false],
  ['at an unknown time', null, false],
])('a transaction %s is in time: %s', (_, at, expected) => {
  expect(isInTime({ at: at as bigint }, { expiresAt })).toBe(expected);
});
