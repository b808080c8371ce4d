import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchSubscriptions } from '../../../../src/domain/billing/lifecycle/match-subscriptions.ts';
import { collectablePeriod } from '../../../../src/domain/billing/schedule/collectable-period.ts';
import { paymentPeriod } from '../../../../src/domain/billing/schedule/period.ts';
import { anySchedule } from '../schedule/any-schedule.ts';

const first = { name: 'first', chainCreatedAt: 1_000n };
const second = { name: 'second', chainCreatedAt: 1_250n };
const match = (known: (typeof first)[], periodStart: bigint | null, pulled = 5n) => {
  const account = periodStart === null ? null : { periodStart, pulled };
  const { current, over, isNew } = matchSubscriptions(known, account, 100n);
  return { current: current?.name, over: over.map(({ name }) => name), isNew };
};

describe('an account at an address', () => {
  it.each([
    ['is a new subscription if none is known', [], 1_000n, undefined, [], true],
    ['is the subscription that was created then', [first], 1_000n, 'first', [], false],
    ['is the same subscription some periods later', [first], 1_700n, 'first', [], false],
    [
      'is a new subscription between the periods of another one, and ends that one',
      [first],
      1_250n,
      undefined,
      ['first'],
      true,
    ],
    ['is the newest subscription that had begun', [second, first], 1_350n, 'second', ['first'], false],
    ['is an earlier subscription that is observed late', [second, first], 1_200n, 'first', [], false],
    [
      'is an unknown subscription between the known ones',
      [second, first],
      1_220n,
      undefined,
      ['first'],
      false,
    ],
    ['is an unknown subscription from before all known ones', [second, first], 900n, undefined, [], false],
    [
      'is closed, and all known subscriptions are over',
      [second, first],
      null,
      undefined,
      ['second', 'first'],
      false,
    ],
  ])('%s', (_, known, periodStart, current, over, isNew) => {
    expect(match(known, periodStart)).toEqual({ current, over, isNew });
  });
});

describe('an account from which nothing was pulled', () => {
  it.each([
    ['is the subscription that was created then', [first], 1_000n, 'first', [], false],
    ['is a new subscription whole periods later', [first], 1_700n, undefined, ['first'], true],
    [
      'is unknown whole periods after an earlier subscription',
      [second, first],
      1_200n,
      undefined,
      ['first'],
      false,
    ],
  ])('%s', (_, known, periodStart, current, over, isNew) => {
    expect(match(known, periodStart, 0n)).toEqual({ current, over, isNew });
  });
});

describe('the first payment that can still be collected', () => {
  it('is the earliest one whose period has not ended', () => {
    fc.assert(
      fc.property(anySchedule, fc.bigInt(0n, 90_000_000n), (plan, later) => {
        const now = plan.startedAt + later;
        const period = collectablePeriod(plan, now);
        expect(period.periodEnd > now).toBe(true);
        const hasEnded = period.index === 0n || paymentPeriod(plan, period.index - 1n).periodEnd <= now;
        expect(hasEnded).toBe(true);
      }),
    );
  });
});
