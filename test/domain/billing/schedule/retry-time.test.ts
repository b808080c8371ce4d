import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decide,
  LANDING_SECONDS,
  paymentPeriod,
  type Schedule,
} from '../../../../src/domain/billing/schedule/period.ts';
import { endsOfPeriod, nextAttempt, retryTime } from '../../../../src/domain/billing/schedule/retry-time.ts';
import { scheduleOfToday } from './any-schedule.ts';

const HOUR = 3_600;
const date = (seconds: number) => new Date(seconds * 1000);
// The last attempt is at 9,870: 120 seconds to land and 10 seconds to sign before the end.
const ENDS = { periodEnd: 10_000n, nextDueAt: 12_000n };

describe('the attempt after a failure', () => {
  it.each([
    ['after the delay, if that is before the last time to send', 1_000, 60, 'retry', 1_060],
    ['at the last time to send, if the delay is longer', 1_000, 86_400, 'retry', 9_870],
    ['a second before the last time to send: at that time', 9_869, 60, 'retry', 9_870],
    ['at the last time to send: no retry, but the next payment', 9_870, 60, 'next_payment', 12_000],
    ['when the period is over: no retry, but the next payment', 10_500, 60, 'next_payment', 12_000],
    ['when the next payment is overdue: that one at once', 13_000, 60, 'next_payment', 13_000],
  ] as const)('is %s', (_, now, delay, kind, at) => {
    expect(retryTime(date(now), delay * 1000, ENDS)).toEqual({ kind, at: date(at) });
  });

  it('is after 1, 5 and 30 minutes if the attempts begin on time', () => {
    const schedule = {
      startedAt: 0n,
      periodSeconds: BigInt(HOUR),
      intervalSeconds: BigInt(HOUR),
      anchorOffsetSeconds: 0n,
    };
    let now = date(0);
    for (const minutes of [1, 5, 30]) {
      const next = retryTime(now, minutes * 60_000, endsOfPeriod(schedule, 0n));
      expect(next).toEqual({ kind: 'retry', at: new Date(now.getTime() + minutes * 60_000) });
      now = next.at;
    }
  });

  it('is in the period if it can be, and never later than the next due date', () => {
    const anyCase = [
      scheduleOfToday,
      ...[
        fc.bigInt(0n, 500n),
        fc.integer({ min: 0, max: 90_000_000 }),
        fc.integer({ min: 1, max: 2_592_000 }),
      ],
    ] as const;
    fc.assert(
      fc.property(
        ...(anyCase as never as [
          typeof scheduleOfToday,
          ReturnType<typeof fc.bigInt>,
          fc.Arbitrary<number>,
          fc.Arbitrary<number>,
        ]),
        (schedule: Schedule, index, later, delay) => {
          const period = paymentPeriod(schedule, index);
          const ends = endsOfPeriod(schedule, period.periodStart);
          expect(ends).toEqual({
            periodEnd: period.periodEnd,
            nextDueAt: paymentPeriod(schedule, index + 1n).dueAt,
          });
          const now = date(Number(period.dueAt) + later);
          const { kind, at } = retryTime(now, delay * 1000, ends);
          const seconds = BigInt(Math.floor(at.getTime() / 1000));
          if (kind === 'retry') {
            expect(decide(schedule, period.dueAt, seconds, LANDING_SECONDS).kind).toBe('collect');
            expect(at.getTime()).toBeLessThanOrEqual(now.getTime() + delay * 1000);
          }
          expect(seconds <= ends.nextDueAt || at.getTime() === now.getTime()).toBe(true);
          expect(at.getTime()).toBeGreaterThanOrEqual(now.getTime());
        },
      ),
    );
  });
});

describe('a payment that waits without a failure', () => {
  it.each([
    ['for the requested time, if that is before the last time to send', 1_000, 1_030],
    ['until the last time to send, if that is sooner', 9_860, 9_870],
    ['for the requested time, if the last time to send has passed', 9_875, 9_905],
    ['until the next payment is due, if that is sooner', 11_990, 12_000],
  ])('waits %s', (_, now, expected) => {
    expect(nextAttempt(date(now), 30_000, ENDS)).toEqual(date(expected));
  });
});
