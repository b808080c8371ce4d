import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  firstCharged,
  nextCharged,
  type WaivedRange,
  waivedTimes,
  waiverOf,
} from '../../../../src/domain/billing/schedule/waivers.ts';
import { anySchedule } from './any-schedule.ts';

const range = (fromIndex: number, untilIndex: number | null): WaivedRange => ({ fromIndex, untilIndex });

describe('the next payments that are charged', () => {
  it.each([
    ['without a waiver', [], 3n, 2, [range(3, 5)]],
    ['before a waiver', [range(5, 6)], 3n, 2, [range(3, 5)]],
    ['around a waiver', [range(4, 6)], 3n, 2, [range(3, 4), range(6, 7)]],
    ['in a waiver', [range(3, 6)], 4n, 2, [range(6, 8)]],
    ['for ever, around a waiver', [range(4, 6)], 3n, null, [range(3, 4), range(6, null)]],
    ['for ever, before one for ever', [range(4, null)], 3n, null, [range(3, 4)]],
    ['after a waiver for ever', [range(2, null)], 3n, 1, []],
  ] as const)('%s', (_, waivers, index, count, ranges) => {
    expect(nextCharged(waivers, index, count)).toEqual(ranges);
  });
});

/** What a merchant or a customer does between two due dates. */
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('pause' as const), count: fc.option(fc.integer({ min: 1, max: 12 })) }),
  fc.record({
    kind: fc.constantFrom('free' as const, 'waive' as const),
    count: fc.integer({ min: 1, max: 12 }),
  }),
  fc.record({ kind: fc.constant('unpause' as const), count: fc.constant(null) }),
  fc.record({ kind: fc.constantFrom('charged' as const, 'missed' as const), count: fc.constant(null) }),
);

interface ModelWaiver extends WaivedRange {
  readonly kind: 'PAUSE' | 'FREE' | 'ONE';
  readonly keepsAccess: boolean;
}

const KINDS = { pause: 'PAUSE', free: 'FREE', waive: 'ONE' } as const;

describe('any mix of pauses, free periods and waived payments', () => {
  it('leaves each payment charged, waived or missed, and waives none twice', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 80 }), anySchedule, (steps, schedule) => {
        let waivers: readonly ModelWaiver[] = [];
        let next = 0;
        const outcomes: string[] = [];
        for (const { kind, count } of steps) {
          switch (kind) {
            case 'charged':
            case 'missed':
              outcomes.push(waiverOf(waivers, BigInt(next)) ? 'waived' : kind);
              next += 1;
              break;
            case 'unpause':
              waivers = waivers.flatMap((waiver) => {
                if (waiver.kind !== 'PAUSE') return [waiver];
                const untilIndex = Math.min(waiver.untilIndex ?? next, next);
                return untilIndex > waiver.fromIndex ? [{ ...waiver, untilIndex }] : [];
              });
              break;
            default: {
              const ranges = nextCharged(waivers, BigInt(next), kind === 'waive' ? 1 : count);
              const before = waivers;
              const added = ranges.map((each) => ({
                ...each,
                kind: KINDS[kind],
                keepsAccess: kind !== 'pause',
              }));
              waivers = [...waivers, ...added];
              for (let index = next; index < next + 40; index++) {
                const covering = waivers.filter((waiver) => waiverOf([waiver], BigInt(index)));
                expect(covering.length).toBeLessThanOrEqual(1);
                if (waiverOf(before, BigInt(index))) expect(covering).toHaveLength(1);
              }
              const wanted = kind === 'waive' ? 1 : count;
              const isEndless = ranges.some(({ untilIndex }) => untilIndex === null);
              if (
                wanted !== null &&
                ranges.length > 0 &&
                !before.some(({ untilIndex }) => untilIndex === null)
              ) {
                const sum = ranges.reduce(
                  (total, each) => total + (each.untilIndex ?? 0) - each.fromIndex,
                  0,
                );
                expect(sum).toBe(wanted);
              } else if (wanted === null && ranges.length > 0) {
                expect(isEndless || before.some(({ untilIndex }) => untilIndex === null)).toBe(true);
              }
            }
          }
          const charged = firstCharged(waivers, BigInt(next));
          if (charged !== null) expect(waiverOf(waivers, charged)).toBeUndefined();
          for (let index = BigInt(next); index < (charged ?? BigInt(next + 20)); index++) {
            expect(waiverOf(waivers, index)).toBeDefined();
          }
          const { waivedFrom, waivedUntil, pausedFrom, pausedUntil } = waivedTimes(schedule, waivers);
          if (waivedFrom && waivedUntil) expect(waivedUntil > waivedFrom).toBe(true);
          if (pausedFrom && pausedUntil) expect(pausedUntil > pausedFrom).toBe(true);
        }
        const counted = (outcome: string) => outcomes.filter((each) => each === outcome).length;
        expect(counted('charged') + counted('waived') + counted('missed')).toBe(next);
      }),
    );
  });
});
