import { expect, it } from 'vitest';
import { retryDelayMs } from '../../../src/domain/messages/webhook/delivery/backoff.ts';

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
])('after %i failed attempts the next one waits %i ms, or up to a tenth longer', (failures, delayMs) => {
  expect(retryDelayMs({ failures, jitter: 0, retryAfterMs: null })).toBe(delayMs);
  expect(retryDelayMs({ failures, jitter: 0.5, retryAfterMs: null })).toBe(Math.round(delayMs * 1.05));
  expect(retryDelayMs({ failures, jitter: 1, retryAfterMs: null })).toBe(Math.round(delayMs * 1.1));
});

it('gives up after ten failed attempts', () => {
  expect(retryDelayMs({ failures: 10, jitter: 0, retryAfterMs: null })).toBeUndefined();
});

it.each([
  ['seconds more than the schedule', 1, 60_000, 60_000],
  ['less than the schedule: attempts must last for three days', 2, 60_000, 5 * MINUTE],
  ['years: at most a day', 1, 1e12, 24 * HOUR],
  ['nothing', 1, 0, 5000],
])('waits for a receiver that asks for %s', (_, failures, retryAfterMs, expected) => {
  expect(retryDelayMs({ failures, jitter: 0, retryAfterMs })).toBe(expected);
});

it('an outage of 75 hours ends before the last attempt', () => {
  const waits = Array.from({ length: 9 }, (_, index) =>
    retryDelayMs({ failures: index + 1, jitter: 0, retryAfterMs: null }),
  );
  expect(waits.reduce<number>((sum, delayMs) => sum + (delayMs ?? 0), 0)).toBeGreaterThan(75 * HOUR);
});
