import { describe, expect, it } from 'vitest';
import {
  type AttemptOutcome,
  type EndpointHealth,
  healthAfter,
  maxInFlight,
} from '../../../src/domain/webhook/delivery/endpoint-health.ts';

const NOW = new Date('2026-12-01T00:00:00Z');
const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const WELL: EndpointHealth = { failingSince: null, slowdown: 0, pausedUntil: null };
const ok: AttemptOutcome = { statusCode: 200, error: null, retryAfterMs: null, isTimedOut: false };
const fails = (statusCode: number | null, others: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  ...ok,
  statusCode,
  error: 'failed',
  ...others,
});

describe('the health of an endpoint', () => {
  it.each([
    ['a success', WELL, [ok], {}],
    ['a failure', WELL, [fails(500)], { failingSince: NOW }],
    ['a failure beside a success', WELL, [fails(500), ok], {}],
    [
      'one more failure',
      { ...WELL, failingSince: later(-1000) },
      [fails(null)],
      { failingSince: later(-1000) },
    ],
    ['a success after failures', { ...WELL, failingSince: later(-1000) }, [ok], {}],
    [
      'failures for just under five days',
      { ...WELL, failingSince: later(1 - 5 * 86_400_000) },
      [fails(500)],
      { failingSince: later(1 - 5 * 86_400_000) },
    ],
    [
      'failures for five days',
      { ...WELL, failingSince: later(-5 * 86_400_000) },
      [fails(500)],
      { failingSince: later(-5 * 86_400_000), off: 'FAILING' },
    ],
    [
      'a success after five days of failures',
      { ...WELL, failingSince: later(-5 * 86_400_000) },
      [fails(500), ok],
      {},
    ],
    ['410', WELL, [fails(410)], { failingSince: NOW, off: 'GONE' }],
    ['429', WELL, [fails(429)], { failingSince: NOW, slowdown: 1, pausedUntil: later(1000) }],
    ['502', WELL, [fails(502)], { failingSince: NOW, slowdown: 1, pausedUntil: later(1000) }],
    ['504', WELL, [fails(504)], { failingSince: NOW, slowdown: 1, pausedUntil: later(1000) }],
    ['503, which says nothing of how much', WELL, [fails(503)], { failingSince: NOW }],
    [
      'no answer in time',
      WELL,
      [fails(null, { isTimedOut: true })],
      { failingSince: NOW, slowdown: 1, pausedUntil: later(1000) },
    ],
    [
      '429 that asks for two minutes',
      WELL,
      [fails(429, { retryAfterMs: 120_000 })],
      { failingSince: NOW, slowdown: 1, pausedUntil: later(120_000) },
    ],
    [
      '429 that asks for a day: ten minutes at most',
      WELL,
      [fails(429, { retryAfterMs: 86_400_000 })],
      { failingSince: NOW, slowdown: 1, pausedUntil: later(600_000) },
    ],
    [
      '429 for the sixth time',
      { ...WELL, slowdown: 5 },
      [ok, fails(429)],
      { slowdown: 5, pausedUntil: later(32_000) },
    ],
    ['a success while it is slowed down', { ...WELL, slowdown: 3 }, [ok], { slowdown: 2 }],
    [
      'a failure of another kind while it is slowed down',
      { ...WELL, slowdown: 3 },
      [fails(500)],
      { failingSince: NOW, slowdown: 3 },
    ],
  ] as const)('after %s', (_, before, tries, expected) => {
    expect(healthAfter(before, tries, NOW)).toEqual({ ...WELL, off: null, ...expected });
  });
});

it.each([
  [0, 512, 32],
  [1, 512, 16],
  [5, 512, 1],
  [0, 40, 10],
  [0, 3, 1],
  [5, 65, 1],
  [5, 64, 0],
])('slowed down %i times, with %i free, %i at once', (slowdown, free, max) => {
  expect(maxInFlight(slowdown, free)).toBe(max);
});

it('many failing endpoints leave places for the others', () => {
  let free = 512;
  for (let inTrouble = 0; inTrouble < 1000; inTrouble++) free -= maxInFlight(1 + (inTrouble % 5), free);
  expect(maxInFlight(0, free)).toBeGreaterThan(10);
});
