import { expect, it } from 'vitest';
import { retryDelayMs } from '../../src/domain/webhook/backoff.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

it.each([
  [1, 5000],
  [2, 5 * MINUTE],
  [3, 30 * MINUTE],
  [4, 2 * HOUR],
  [5, 5 * HOUR],
  [6, 10 * HOUR],
  [7, 14 * HOUR],
  [8, 20 * HOUR],
  [9, 24 * HOUR],
])('after %i failed tries the next one waits %i ms, or up to a tenth longer', (tries, delayMs) => {
  expect(retryDelayMs(tries, 0)).toBe(delayMs);
  expect(retryDelayMs(tries, 0.5)).toBe(Math.round(delayMs * 1.05));
  expect(retryDelayMs(tries, 1)).toBe(Math.round(delayMs * 1.1));
});

it('gives up after ten failed tries', () => {
  expect(retryDelayMs(10, 0)).toBeUndefined();
});
