import { describe, expect, it } from 'vitest';
import {
  type AttemptOutcome,
  type EndpointHealth,
  healthAfter,
  maxInFlight,
} from '../../../src/domain/messages/webhook/delivery/endpoint-health.ts';

const NOW = new Date('2026-12-01T00:00:00Z');
const dateAfter = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const HEALTHY: EndpointHealth = { failingSince: null, slowdown: 0, pausedUntil: null };
const ok: AttemptOutcome = { statusCode: 200, error: null, retryAfterMs: null, isTimedOut: false };
const failure = (statusCode: number | null, fields: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  ...ok,
  statusCode,
  error: 'failed',
  ...fields,
});

describe('the health of an endpoint', () => {
  it.each([
    ['a success', HEALTHY, [ok], {}],
    ['a failure', HEALTHY, [failure(500)], { failingSince: NOW }],
    ['a failure and a success together', HEALTHY, [failure(500), ok], {}],
    [
      'one more failure',
      { ...HEALTHY, failingSince: dateAfter(-1000) },
      [failure(null)],
      { failingSince: dateAfter(-1000) },
    ],
    ['a success after failures', { ...HEALTHY, failingSince: dateAfter(-1000) }, [ok], {}],
    [
      'failures for just under five days',
      { ...HEALTHY, failingSince: dateAfter(1 - 5 * 86_400_000) },
      [failure(500)],
      { failingSince: dateAfter(1 - 5 * 86_400_000) },
    ],
    [
      'failures for five days',
      { ...HEALTHY, failingSince: dateAfter(-5 * 86_400_000) },
      [failure(500)],
      { failingSince: dateAfter(-5 * 86_400_000), off: 'FAILING' },
    ],
    [
      'a success after five days of failures',
      { ...HEALTHY, failingSince: dateAfter(-5 * 86_400_000) },
      [failure(500), ok],
      {},
    ],
    ['410', HEALTHY, [failure(410)], { failingSince: NOW, off: 'GONE' }],
    ['429', HEALTHY, [failure(429)], { failingSince: NOW, slowdown: 1, pausedUntil: dateAfter(1000) }],
    ['502', HEALTHY, [failure(502)], { failingSince: NOW, slowdown: 1, pausedUntil: dateAfter(1000) }],
    ['504', HEALTHY, [failure(504)], { failingSince: NOW, slowdown: 1, pausedUntil: dateAfter(1000) }],
    ['503, which does not mean overload', HEALTHY, [failure(503)], { failingSince: NOW }],
    [
      'no answer in time',
      HEALTHY,
      [failure(null, { isTimedOut: true })],
      { failingSince: NOW, slowdown: 1, pausedUntil: dateAfter(1000) },
    ],
    [
      '429 that asks for two minutes',
      HEALTHY,
      [failure(429, { retryAfterMs: 120_000 })],
      { failingSince: NOW, slowdown: 1, pausedUntil: dateAfter(120_000) },
    ],
    [
      '429 that asks for a day: at most ten minutes',
      HEALTHY,
      [failure(429, { retryAfterMs: 86_400_000 })],
      { failingSince: NOW, slowdown: 1, pausedUntil: dateAfter(600_000) },
    ],
    [
      '429 for the sixth time',
      { ...HEALTHY, slowdown: 5 },
      [ok, failure(429)],
      { slowdown: 5, pausedUntil: dateAfter(32_000) },
    ],
    ['a success while it is slowed down', { ...HEALTHY, slowdown: 3 }, [ok], { slowdown: 2 }],
    [
      'a failure of another kind while it is slowed down',
      { ...HEALTHY, slowdown: 3 },
      [failure(500)],
      { failingSince: NOW, slowdown: 3 },
    ],
  ] as const)('after %s', (_, before, outcomes, expected) => {
    expect(healthAfter(before, outcomes, { now: NOW, wallTime: NOW })).toEqual({
      ...HEALTHY,
      off: null,
      ...expected,
    });
  });

  it('a series of failures is as long as it lasts on the machine', () => {
    const failingSince = dateAfter(-1000);
    const times = { now: dateAfter(30 * 86_400_000), wallTime: NOW };
    const health = healthAfter({ ...HEALTHY, failingSince }, [failure(500)], times);
    expect(health).toEqual({ ...HEALTHY, failingSince, off: null });
  });
});

it.each([
  [false, 512, 128],
  [true, 512, 112],
  [false, 40, 10],
  [false, 3, 1],
  [true, 65, 1],
  [true, 64, 0],
])('slowed down: %s, with %i free connections, an endpoint gets %i of them', (isSlowedDown, free, max) => {
  expect(maxInFlight(isSlowedDown, free)).toBe(max);
});

it('many failing endpoints leave connections for the others', () => {
  let free = 512;
  for (let failing = 0; failing < 1000; failing++) free -= maxInFlight(true, free);
  expect(maxInFlight(false, free)).toBeGreaterThan(10);
});
