import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decide,
  paymentDueAt,
  paymentOfPeriod,
  paymentPeriod,
  type Schedule,
} from '../../../../src/domain/billing/schedule/period.ts';
import { INTERVAL_SECONDS } from '../../../../src/domain/catalog/money/interval.ts';

const HOUR = 3_600n;
const LANDING = 90n;
const schedule = (trialSeconds = 0n, intervalSeconds = 24n * HOUR): Schedule => ({
  startedAt: 1_000_000n,
  intervalSeconds,
  trialSeconds,
});
const anySchedule = fc.record({
  startedAt: fc.bigInt(1n, 2_000_000_000n),
  intervalSeconds: fc.bigInt(1n, 8_760n).map((hours) => hours * HOUR),
  trialSeconds: fc.bigInt(0n, 400n * 86_400n),
});

describe('due dates', () => {
  it('start at once, or after the trial, and stay fixed', () => {
    expect(paymentPeriod(schedule(), 0n).dueAt).toBe(1_000_000n);
    expect(paymentPeriod(schedule(), 3n).dueAt).toBe(1_000_000n + 72n * HOUR);
    expect(paymentPeriod(schedule(7n * HOUR), 1n).dueAt).toBe(1_000_000n + 31n * HOUR);
  });

  it('of twelve months or four quarters are a year, from each second of a leap February', () => {
    const { MONTH, QUARTER, YEAR } = INTERVAL_SECONDS;
    const first = Date.UTC(2028, 1, 1) / 1_000;
    const end = Date.UTC(2028, 2, 1) / 1_000;
    expect(end - first).toBe(29 * 86_400);
    const dueAfter = (startedAt: number, seconds: number, index: bigint) =>
      paymentPeriod(
        { startedAt: BigInt(startedAt), intervalSeconds: BigInt(seconds), trialSeconds: 0n },
        index,
      );
    let differences = 0;
    for (let startedAt = first; startedAt < end; startedAt++) {
      const year = dueAfter(startedAt, YEAR, 1n).dueAt;
      if (dueAfter(startedAt, MONTH, 12n).dueAt !== year || dueAfter(startedAt, QUARTER, 4n).dueAt !== year)
        differences++;
      if (year - BigInt(startedAt) !== 365n * 86_400n) differences++;
    }
    expect(differences).toBe(0);
  });

  it('are each in one chain period, with any trial', () => {
    fc.assert(
      fc.property(anySchedule, fc.bigInt(0n, 5_000n), (plan, index) => {
        const period = paymentPeriod(plan, index);
        expect(period.periodStart <= period.dueAt && period.dueAt < period.periodEnd).toBe(true);
        expect((period.periodStart - plan.startedAt) % plan.intervalSeconds).toBe(0n);
        expect(paymentPeriod(plan, index + 1n).periodStart).toBe(period.periodEnd);
      }),
    );
  });

  it('identify the payment, by date and by chain period', () => {
    fc.assert(
      fc.property(anySchedule, fc.bigInt(0n, 5_000n), (plan, index) => {
        const period = paymentPeriod(plan, index);
        expect(paymentDueAt(plan, period.dueAt)).toEqual(period);
        expect(paymentOfPeriod(plan, period.periodStart)).toEqual(period);
        expect(paymentDueAt(plan, period.dueAt + 1n)).toBeUndefined();
      }),
    );
  });

  it('do not exist for chain periods in the trial', () => {
    expect(paymentOfPeriod(schedule(48n * HOUR), 1_000_000n)).toBeUndefined();
    expect(paymentOfPeriod(schedule(48n * HOUR), 1_000_000n + 48n * HOUR)?.index).toBe(0n);
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

  it('can collect every payment of a plan of whole hours', () => {
    const hours = (max: bigint) => fc.bigInt(0n, max).map((count) => count * HOUR);
    fc.assert(
      fc.property(hours(8_760n), hours(17_520n), fc.bigInt(0n, 500n), (interval, trial, index) => {
        const plan = { startedAt: 1_000_000n, intervalSeconds: interval || HOUR, trialSeconds: trial };
        const { dueAt } = paymentPeriod(plan, index);
        expect(decide(plan, dueAt, dueAt + HOUR / 2n, LANDING).kind).toBe('collect');
      }),
    );
  });

  it('refuses a date that is not in the schedule', () => {
    expect(() => decide(schedule(), due + 1n, due, LANDING)).toThrow(RangeError);
  });
});
