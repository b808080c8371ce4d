import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchSubscriptions } from '../../../../src/domain/billing/lifecycle/match-subscriptions.ts';
import { collectablePeriod } from '../../../../src/domain/billing/schedule/collectable-period.ts';

const first = { name: 'first', chainCreatedAt: 1_000n };
const second = { name: 'second', chainCreatedAt: 1_250n };
const match = (lives: (typeof first)[], periodStart: bigint | null) => {
  const { current, over, isNew } = matchSubscriptions(lives, periodStart, 100n);
  return { current: current?.name, over: over.map(({ name }) => name), isNew };
};

describe('an account at an address', () => {
  it.each([
    ['is a new life where none is known', [], 1_000n, undefined, [], true],
    ['is the life that was created then', [first], 1_000n, 'first', [], false],
    ['is that life periods later', [first], 1_700n, 'first', [], false],
    ['is a new life between its periods, which ends it', [first], 1_250n, undefined, ['first'], true],
    ['is the newest life that had begun', [second, first], 1_350n, 'second', ['first'], false],
    ['is an earlier life seen late', [second, first], 1_200n, 'first', [], false],
    ['is an unknown life from between', [second, first], 1_220n, undefined, ['first'], false],
    ['is unknown, from before all of them', [second, first], 900n, undefined, [], false],
    ['is closed, and all of them are over', [second, first], null, undefined, ['second', 'first'], false],
  ])('%s', (_, lives, periodStart, current, over, isNew) => {
    expect(match(lives, periodStart)).toEqual({ current, over, isNew });
  });
});

describe('the first payment that can still be collected', () => {
  it('is the earliest one whose period has not ended', () => {
    const schedule = fc.record({
      startedAt: fc.bigInt(1n, 10_000n),
      intervalSeconds: fc.bigInt(1n, 500n),
      trialSeconds: fc.bigInt(0n, 2_000n),
    });
    fc.assert(
      fc.property(schedule, fc.bigInt(0n, 20_000n), (plan, later) => {
        const now = plan.startedAt + later;
        const period = collectablePeriod(plan, now);
        expect(period.periodEnd > now).toBe(true);
        expect(period.index === 0n || period.periodStart <= now).toBe(true);
      }),
    );
  });
});
