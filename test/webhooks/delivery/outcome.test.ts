import { expect, it } from 'vitest';
import { outcomeOf } from '../../../src/domain/messages/webhook/delivery/outcome.ts';

const now = new Date(0);
const dateAtMs = (ms: number) => new Date(ms);

it.each([
  ['succeeded', null, 3, null, { status: 'SUCCEEDED', failureCount: 3, nextAttemptAt: null }],
  ['failed first', 'x', 0, null, { status: 'PENDING', failureCount: 1, nextAttemptAt: dateAtMs(5_000) }],
  [
    'asked for a minute',
    'x',
    0,
    60_000,
    { status: 'PENDING', failureCount: 1, nextAttemptAt: dateAtMs(60_000) },
  ],
  ['failed for the tenth time', 'x', 9, null, { status: 'FAILED', failureCount: 10, nextAttemptAt: null }],
] as const)(
  'the outcome of a delivery whose attempt %s',
  (_, error, failureCount, retryAfterMs, expected) => {
    expect(outcomeOf({ error, retryAfterMs }, { failureCount, now, jitter: 0 })).toEqual(expected);
  },
);
