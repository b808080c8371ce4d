import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offsetOfNew } from '../../../../src/domain/billing/schedule/billable.ts';
import { collectablePeriod } from '../../../../src/domain/billing/schedule/collectable-period.ts';
import {
  decide,
  dueAfter,
  paymentDueAt,
  paymentOfPeriod,
  paymentPeriod,
  periodIndexOf,
  type Schedule,
} from '../../../../src/domain/billing/schedule/period.ts';
import { endsOfPeriod } from '../../../../src/domain/billing/schedule/retry-time.ts';
import { INTERVAL_SECONDS } from '../../../../src/domain/catalog/money/interval.ts';
import { anySchedule, scheduleOfToday } from './any-schedule.ts';

const HOUR = 3_600n;
const LANDING = 90n;
const schedule = (anchorOffsetSeconds = 0n, intervalSeconds = 24n * HOUR): Schedule => ({
  startedAt: 1_000_000n,
  periodSeconds: intervalSeconds,
  intervalSeconds,
  anchorOffsetSeconds,
});

/** Payment `index` as it was before `periodSeconds` and `anchorOffsetSeconds`, for plans of whole hours. */
function paymentOfEarlierRelease(
  { startedAt, intervalSeconds, anchorOffsetSeconds }: Schedule,
  index: bigint,
) {
  const dueAt = startedAt + anchorOffsetSeconds + index * intervalSeconds;
  const periodStart = startedAt + ((dueAt - startedAt) / intervalSeconds) * intervalSeconds;
  return { index, dueAt, periodStart, periodEnd: periodStart + intervalSeconds };
}

describe('due dates', () => {
  it('start at once, or after the trial, and stay fixed', () => {
    expect(paymentPeriod(schedule(), 0n).dueAt).toBe(1_000_000n);
    expect(paymentPeriod(schedule(), 3n).dueAt).toBe(1_000_000n + 72n * HOUR);
    expect(paymentPeriod(schedule(7n * HOUR), 1n).dueAt).toBe(1_000_000n + 31n * HOUR);
  });

  it('of 12 months or 4 quarters are a year, from each second of a leap February', () => {
    const { MONTH, QUARTER, YEAR } = INTERVAL_SECONDS;
    const first = Date.UTC(2028, 1, 1) / 1_000;
    const end = Date.UTC(2028, 2, 1) / 1_000;
    expect(end - first).toBe(29 * 86_400);
    const dueAtOf = (startedAt: number, seconds: number, index: bigint) =>
      paymentPeriod({ ...schedule(0n, BigInt(seconds)), startedAt: BigInt(startedAt) }, index).dueAt;
    let differences = 0;
    for (let startedAt = first; startedAt < end; startedAt++) {
      const year = dueAtOf(startedAt, YEAR, 1n);
      if (dueAtOf(startedAt, MONTH, 12n) !== year || dueAtOf(startedAt, QUARTER, 4n) !== year) differences++;
      if (year - BigInt(startedAt) !== 365n * 86_400n) differences++;
    }
    expect(differences).toBe(0);
  });

  it('are each in a chain period of their own, with at least an hour to land', () => {
    fc.assert(
      fc.property(anySchedule, fc.bigInt(0n, 5_000n), (plan, index) => {
        const period = paymentPeriod(plan, index);
        expect((period.periodStart - plan.startedAt) % plan.periodSeconds).toBe(0n);
        expect(period.periodEnd - period.periodStart).toBe(plan.periodSeconds);
        expect(period.periodStart <= period.dueAt && period.dueAt + HOUR <= period.periodEnd).toBe(true);
        const next = paymentPeriod(plan, index + 1n);
        expect(next.periodStart >= period.periodEnd && next.dueAt > period.dueAt).toBe(true);
        expect(dueAfter(plan, period)).toBe(next.dueAt);
        const nominal = plan.startedAt + plan.anchorOffsetSeconds + index * plan.intervalSeconds;
        expect(period.dueAt - nominal >= 0n && period.dueAt - nominal < HOUR).toBe(true);
      }),
    );
  });

  it.each([
    ['an hour before the end of the period', 23n * HOUR, 23n * HOUR],
    ['a second less', 23n * HOUR + 1n, 24n * HOUR],
    ['a second before the end', 24n * HOUR - 1n, 24n * HOUR],
    ['at the end', 24n * HOUR, 24n * HOUR],
    ['59 minutes before the end of the third period', 71n * HOUR + 60n, 72n * HOUR],
  ])('%s: moved to the end of the period if less than an hour is left', (_, offset, due) => {
    const { dueAt, periodStart } = paymentPeriod(schedule(offset), 0n);
    expect(dueAt - 1_000_000n).toBe(due);
    expect(periodStart - 1_000_000n).toBe((due / (24n * HOUR)) * 24n * HOUR);
  });

  it('are those of the release before, for every plan and trial of whole hours', () => {
    fc.assert(
      fc.property(
        scheduleOfToday,
        fc.bigInt(0n, 5_000n),
        fc.bigInt(0n, 90_000_000n),
        (plan, index, later) => {
          const before = paymentOfEarlierRelease(plan, index);
          expect(paymentPeriod(plan, index)).toEqual(before);
          expect(endsOfPeriod(plan, before.periodStart)).toEqual({
            periodEnd: before.periodEnd,
            nextDueAt: before.dueAt + plan.intervalSeconds,
          });
          const now = before.dueAt + later;
          const decision = decide(plan, before.dueAt, now, LANDING);
          const periodsOver =
            now < before.periodEnd ? 0n : (now - before.periodEnd) / plan.intervalSeconds + 1n;
          expect(decision.kind === 'missed').toBe(periodsOver > 0n);
          if (decision.kind === 'missed') {
            expect(decision.next).toEqual(paymentOfEarlierRelease(plan, index + periodsOver));
          }
        },
      ),
    );
    for (const interval of [1n, 2n, 24n, 168n, 720n, 730n, 2_190n, 8_760n]) {
      for (const trial of [0n, 1n, 23n, 168n, 336n, 720n, 17_520n]) {
        const plan = schedule(trial * HOUR, interval * HOUR);
        for (let index = 0n; index < 60n; index++) {
          expect(paymentPeriod(plan, index)).toEqual(paymentOfEarlierRelease(plan, index));
        }
      }
    }
  });

  it('identify the payment, by date and by chain period', () => {
    fc.assert(
      fc.property(anySchedule, fc.bigInt(0n, 5_000n), (plan, index) => {
        const period = paymentPeriod(plan, index);
        expect(paymentDueAt(plan, period.dueAt)).toEqual(period);
        expect(paymentOfPeriod(plan, period.periodStart)).toEqual(period);
        expect(paymentDueAt(plan, period.dueAt + 1n)).toBeUndefined();
        const nextStart = paymentPeriod(plan, index + 1n).periodStart;
        for (let start = period.periodEnd; start < nextStart; start += plan.periodSeconds) {
          expect(paymentOfPeriod(plan, start)).toBeUndefined();
          expect(endsOfPeriod(plan, start).nextDueAt).toBe(dueAfter(plan, period));
          if (start - period.periodEnd > 3n * plan.periodSeconds) break;
        }
      }),
    );
  });

  it('do not exist for chain periods in the trial', () => {
    expect(paymentOfPeriod(schedule(48n * HOUR), 1_000_000n)).toBeUndefined();
    expect(paymentOfPeriod(schedule(48n * HOUR), 1_000_000n + 48n * HOUR)?.index).toBe(0n);
  });
});

describe('the number of a payment', () => {
  it.each([
    ['a second before the first due date', 0n, -1n, -1n],
    ['at the first due date', 0n, 0n, 0n],
    ['a second before the second due date', 0n, 24n * HOUR - 1n, 0n],
    ['at the second due date', 0n, 24n * HOUR, 1n],
    ['at the start of a trial', 48n * HOUR, 0n, -1n],
    ['a second before the end of a trial', 48n * HOUR, 48n * HOUR - 1n, -1n],
    ['at the end of a trial', 48n * HOUR, 48n * HOUR, 0n],
    ['a period after a trial', 48n * HOUR, 72n * HOUR, 1n],
    ['at a date that is moved to the end of the period', 24n * HOUR - 1n, 24n * HOUR - 1n, -1n],
    ['at the date to which it is moved', 24n * HOUR - 1n, 24n * HOUR, 0n],
    ['in a later year', 0n, 400n * 24n * HOUR + 5n, 400n],
  ])('%s', (_, offset, sinceStart, index) => {
    expect(periodIndexOf(schedule(offset), 1_000_000n + sinceStart)).toBe(index);
  });

  it('rises by one at each due date, and at no other time', () => {
    fc.assert(
      fc.property(anySchedule, fc.bigInt(0n, 5_000n), fc.bigInt(0n, 90_000_000n), (plan, index, later) => {
        const { dueAt } = paymentPeriod(plan, index);
        const nextDueAt = paymentPeriod(plan, index + 1n).dueAt;
        expect(periodIndexOf(plan, dueAt)).toBe(index);
        expect(periodIndexOf(plan, dueAt - 1n)).toBe(index - 1n);
        expect(periodIndexOf(plan, dueAt + (later % (nextDueAt - dueAt)))).toBe(index);
      }),
    );
  });
});

describe('the next step for the payment that is due', () => {
  const due = 1_000_000n;
  const end = due + 24n * HOUR;
  it.each([
    ['a second early: wait', due - 1n, 'wait'],
    ['on time: collect', due, 'collect'],
    ['late in its period: collect', end - LANDING - 1n, 'collect'],
    ['so late that the pull could land in the next period: do not send', end - LANDING, 'too_late_to_send'],
    ['in the last second of its period: do not send', end - 1n, 'too_late_to_send'],
    ['when its period is over: missed', end, 'missed'],
  ] as const)('%s', (_, now, kind) => {
    expect(decide(schedule(), due, now, LANDING).kind).toBe(kind);
  });

  it('after an outage, marks every ended period as missed, and continues', () => {
    const decision = decide(schedule(), due, due + 75n * HOUR, LANDING);
    if (decision.kind !== 'missed') throw new Error(decision.kind);
    expect(decision.missed.map(({ index }) => index)).toEqual([0n, 1n, 2n]);
    expect(decision.next).toEqual(paymentPeriod(schedule(), 3n));
  });

  it('never collects outside the chain period of the payment, and keeps the numbering', () => {
    fc.assert(
      fc.property(anySchedule, fc.bigInt(0n, 500n), fc.bigInt(0n, 90_000_000n), (plan, index, later) => {
        const period = paymentPeriod(plan, index);
        const now = period.dueAt + later;
        const decision = decide(plan, period.dueAt, now, LANDING);
        if (decision.kind === 'collect') {
          expect(now + LANDING < decision.period.periodEnd && now >= decision.period.dueAt).toBe(true);
        } else if (decision.kind === 'missed') {
          expect(decision.missed.every(({ periodEnd }) => periodEnd <= now)).toBe(true);
          expect(decision.next.periodEnd > now).toBe(true);
          expect(decision.missed.at(-1)?.index).toBe(decision.next.index - 1n);
        }
      }),
    );
  });

  it('can collect every payment', () => {
    fc.assert(
      fc.property(anySchedule, fc.bigInt(0n, 500n), (plan, index) => {
        const { dueAt } = paymentPeriod(plan, index);
        expect(decide(plan, dueAt, dueAt + HOUR / 2n, LANDING).kind).toBe('collect');
      }),
    );
  });

  it('refuses a date that is not in the schedule', () => {
    expect(() => decide(schedule(), due + 1n, due, LANDING)).toThrow(RangeError);
  });
});

it.each([
  ['before it begins', 0n, -1n, 0n],
  ['in its last second', 0n, 24n * HOUR - 1n, 0n],
  ['at its end', 0n, 24n * HOUR, 1n],
  ['in a trial', 48n * HOUR, 1n, 0n],
  ['after the first payment of a trial', 48n * HOUR, 72n * HOUR, 1n],
])('the running period of the schedule %s', (_, anchorOffset, sinceStart, index) => {
  expect(collectablePeriod(schedule(anchorOffset), 1_000_000n + sinceStart).index).toBe(index);
});

it('a granted trial puts off the first due date, and nothing else does', () => {
  const plan = { trialPeriodSeconds: 3_600 };
  expect([offsetOfNew(plan, true), offsetOfNew(plan, false)]).toEqual([3_600, 0]);
});
