import { expect, it } from 'vitest';
import { retryAfterMs } from '../../../src/domain/messages/webhook/post/retry-after.ts';

const NOW = new Date('2026-12-01T00:00:00Z');

it.each([
  [undefined, null],
  ['120', 120_000],
  [' 0 ', 0],
  ['Tue, 01 Dec 2026 00:01:00 GMT', 60_000],
  ['Tuesday, 01-Dec-26 00:01:00 GMT', 60_000],
  ['Mon, 30 Nov 2026 00:00:00 GMT', 0],
  ['-5', null],
  ['1.5', null],
  ['soon', null],
  ['99999999999', null],
])('Retry-After: %s', (header, expected) => {
  expect(retryAfterMs(header, NOW)).toBe(expected);
});
