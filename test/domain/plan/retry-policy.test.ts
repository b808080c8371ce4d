import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_RETRY_SETTINGS, retriesOf } from '../../../src/domain/accounts/merchant/retry-settings.ts';
import { afterFailure } from '../../../src/domain/billing/schedule/after-failure.ts';
import { paymentPeriod } from '../../../src/domain/billing/schedule/period.ts';
import { endsOfPeriod, retryTime } from '../../../src/domain/billing/schedule/retry-time.ts';
import { validRetryPolicy } from '../../../src/domain/catalog/plan/retry-policy.ts';
import { BillingError } from '../../../src/errors.ts';

const HOUR = 3_600;
const plan = (periodHours: number, trialHours = 0) => ({
  periodSeconds: periodHours * HOUR,
  trialPeriodSeconds: trialHours * HOUR,
});

describe('the policy DAYS', () => {
  it.each([
    ['a period of 224 hours', plan(224), true],
    ['a period of 223 hours', plan(223), false],
    ['a month', plan(730), true],
    ['a week', plan(168), false],
    ['a trial that leaves 224 hours of a period', plan(730, 506), true],
    ['a trial that leaves 223 hours of a period', plan(730, 507), false],
    ['a trial of two whole periods', plan(224, 448), true],
  ])('with %s', (_, dates, isAllowed) => {
    const choose = () => validRetryPolicy('DAYS', dates);
    if (isAllowed) expect(choose()).toBe('DAYS');
    else expect(choose).toThrow(BillingError);
  });

  it('is refused with both numbers and the other policies, which any plan may have', () => {
    expect(() => validRetryPolicy('DAYS', plan(168))).toThrow(
      "retryPolicy DAYS needs 224 hours from a due date to the end of the plan's period, and this plan has 168: QUICK and UNTIL_PAID are allowed.",
    );
    for (const policy of ['QUICK', 'UNTIL_PAID'] as const) {
      expect(validRetryPolicy(policy, plan(1))).toBe(policy);
    }
  });

  it('has all retries in the period of each payment of a plan that may have it', () => {
    const retries = retriesOf('DAYS', DEFAULT_RETRY_SETTINGS);
    fc.assert(
      fc.property(
        fc.integer({ min: 224, max: 8_760 }),
        fc.integer({ min: 0, max: 17_520 }),
        fc.boolean(),
        fc.bigInt(0n, 40n),
        fc.array(fc.integer({ min: 0, max: 600_000 }), { minLength: 6, maxLength: 6 }),
        (periodHours, trialHours, hasTrial, index, lateMs) => {
          const dates = plan(periodHours, trialHours);
          try {
            validRetryPolicy('DAYS', dates);
          } catch {
            fc.pre(false);
          }
          const period = BigInt(dates.periodSeconds);
          const schedule = {
            startedAt: 1_800_000_000n,
            periodSeconds: period,
            intervalSeconds: period,
            anchorOffsetSeconds: BigInt(hasTrial ? dates.trialPeriodSeconds : 0),
          };
          const { dueAt, periodStart } = paymentPeriod(schedule, index);
          const ends = endsOfPeriod(schedule, periodStart);
          let nowMs = Number(dueAt) * 1000;
          for (let failures = 1; failures < retries.maxFailures; failures++) {
            // Each attempt may take up to ten minutes.
            nowMs += lateMs[failures] ?? 0;
            const step = afterFailure(retries, failures);
            if (step.kind !== 'retry') throw new Error(`no retry after failure ${failures}`);
            const next = retryTime(new Date(nowMs), step.delaySeconds * 1000, ends);
            expect(next).toEqual({ kind: 'retry', at: new Date(nowMs + step.delaySeconds * 1000) });
            nowMs = next.at.getTime();
          }
          expect(afterFailure(retries, retries.maxFailures)).toEqual({ kind: 'expire' });
        },
      ),
    );
  });
});
