import fc from 'fast-check';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { dateOf } from '../../../../src/chain/chain-time.ts';
import { connectDb } from '../../../../src/db/db.ts';
import { derivedId } from '../../../../src/db/derived-id.ts';
import { LONGEST_DELAY } from '../../../../src/domain/billing/collect/due.ts';
import { attemptDelay, firstAttemptAt } from '../../../../src/domain/billing/schedule/first-attempt.ts';
import { LANDING_SECONDS, paymentPeriod } from '../../../../src/domain/billing/schedule/period.ts';
import { cloneDatabase } from '../../../support/postgres.ts';
import { sharedByFile } from '../../../support/shared-by-file.ts';
import { anySchedule } from './any-schedule.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const START = 1_800_000_000n;
/** Half of all subscriptions are attempted before this one. */
const HALF = '018f0000-0000-7000-8000-000080000000';
const LAST = '018f0000-0000-7000-8000-0000ffffffff';

const database = await sharedByFile(cloneDatabase(inject('templateDatabaseUrl')));
const db = connectDb(database.url);
afterAll(async () => {
  await db.$disconnect();
});

const idOf = (number: number) => derivedId(START, 'subscription', 'TEST', `address ${number}`, START);

const subscription = ({ id = HALF, trial = 0, interval = DAY, within = HOUR, ...other } = {}) => ({
  id,
  status: 'ACTIVE',
  cancelAtPeriodEnd: false,
  chainCreatedAt: START,
  anchorOffsetSeconds: trial,
  plan: {
    periodSeconds: interval,
    intervalSeconds: interval,
    collectWithinSeconds: within,
    endsAt: null as Date | null,
  },
  ...other,
});

/** The seconds from a due date, which is that long after the start, to the first attempt. */
function delayOf(terms: ReturnType<typeof subscription>, dueSinceStart: number): number {
  const dueAt = dateOf(START + BigInt(dueSinceStart));
  return (firstAttemptAt(terms, dueAt).getTime() - dueAt.getTime()) / 1000;
}

describe('the time of a subscription within the spread', () => {
  it('is less than the whole, whole seconds, and not later if the whole is shorter', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.bigInt(0n, 3_600n), fc.bigInt(0n, 3_600n), (id, a, b) => {
        const [shorter, longer] = a < b ? [a, b] : [b, a];
        expect(attemptDelay(id, longer)).toBeGreaterThanOrEqual(attemptDelay(id, shorter));
        expect(attemptDelay(id, longer)).toBeLessThanOrEqual(longer > 0n ? longer - 1n : 0n);
        expect(attemptDelay(id, shorter)).toBeGreaterThanOrEqual(0n);
      }),
    );
  });

  it('is even: of 60,000 derived ids, each minute of an hour has about a thousand', () => {
    const perMinute = new Array<number>(60).fill(0);
    for (let number = 0; number < 60_000; number++) {
      const minute = Number(attemptDelay(idOf(number), 3_600n) / 60n);
      perMinute[minute] = (perMinute[minute] ?? 0) + 1;
    }
    // Five times the standard deviation of 31.
    expect(Math.min(...perMinute)).toBeGreaterThan(845);
    expect(Math.max(...perMinute)).toBeLessThan(1_155);
  });

  it('is the same in SQL', async () => {
    const ids = [HALF, LAST, ...Array.from({ length: 200 }, (_, number) => idOf(number))];
    for (const seconds of [0, 1, 359, 3_600]) {
      const rows = await db.$queryRaw<{ id: string; seconds: number }[]>`
        SELECT s."id"::text, extract(epoch FROM ${LONGEST_DELAY})::int AS "seconds"
        FROM unnest(${ids}::uuid[]) AS s("id"), (SELECT ${seconds}::int AS "maxCollectWithinSeconds") AS p`;
      expect(rows).toHaveLength(ids.length);
      for (const row of rows) expect(row.seconds).toBe(Number(attemptDelay(row.id, BigInt(seconds))));
    }
  });
});

describe('the first attempt', () => {
  it.each([
    ['of a renewal, by the id', subscription(), DAY, 1_800],
    ['of the next renewal, the same', subscription(), 2 * DAY, 1_800],
    ['of the last id', subscription({ id: LAST }), DAY, 3_599],
    ['of a plan that spreads nothing', subscription({ within: 0 }), DAY, 0],
    ['of a checkout, for which the customer waits', subscription(), 0, 0],
    ['after a trial', subscription({ trial: 7 * DAY }), 7 * DAY, 1_800],
    ['after a trial that leaves an hour of the period', subscription({ trial: 23 * HOUR }), 23 * HOUR, 180],
    ['of a customer who is past due', { ...subscription(), status: 'PAST_DUE' }, DAY, 0],
    ['of a subscription that ends then', { ...subscription(), cancelAtPeriodEnd: true }, DAY, 0],
    ['at a time that is no due date', subscription(), DAY + 1, 0],
  ])('%s', (_, terms, dueSinceStart, seconds) => {
    expect(delayOf(terms, dueSinceStart)).toBe(seconds);
  });

  it('is before the end of the plan, if that is known', () => {
    const ending = (seconds: number) => {
      const { plan, ...terms } = subscription({ id: LAST });
      return { ...terms, plan: { ...plan, endsAt: dateOf(START + BigInt(DAY + seconds)) } };
    };
    expect(delayOf(ending(600), DAY)).toBe(59);
    expect(delayOf(ending(0), DAY)).toBe(0);
    expect(delayOf(ending(-1), DAY)).toBe(0);
    expect(delayOf(ending(DAY), DAY)).toBe(3_599);
  });

  it('of any schedule leaves nine tenths of the time until the end of the period', () => {
    const index = fc.bigInt(0n, 500n);
    fc.assert(
      fc.property(
        anySchedule,
        index,
        fc.uuid(),
        fc.integer({ min: 0, max: HOUR }),
        (schedule, n, id, within) => {
          const { dueAt, periodEnd } = paymentPeriod(schedule, n);
          const terms = {
            ...subscription({ id, within, trial: Number(schedule.anchorOffsetSeconds) }),
            chainCreatedAt: schedule.startedAt,
          };
          const plan = {
            ...terms.plan,
            periodSeconds: Number(schedule.periodSeconds),
            intervalSeconds: Number(schedule.intervalSeconds),
          };
          const delay = delayBetween(dueAt, firstAttemptAt({ ...terms, plan }, dateOf(dueAt)));
          expect(delay).toBeGreaterThanOrEqual(0n);
          expect(delay).toBeLessThanOrEqual(BigInt(within));
          expect(delay * 10n).toBeLessThanOrEqual(periodEnd - dueAt);
          expect(dueAt + delay + LANDING_SECONDS).toBeLessThan(periodEnd);
        },
      ),
    );
  });
});

const delayBetween = (dueAt: bigint, at: Date) => BigInt(at.getTime() / 1000) - dueAt;
