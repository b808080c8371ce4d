import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discountAt, movedEnd, periodsLeft } from '../../../../src/domain/billing/book/discount-at.ts';

interface Pause {
  readonly kind: 'PAUSE';
  readonly fromIndex: number;
  readonly untilIndex: number | null;
}
const pause = (fromIndex: number, untilIndex: number | null): Pause => ({
  kind: 'PAUSE',
  fromIndex,
  untilIndex,
});

describe('the end of a discount', () => {
  it.each([
    ['moves with a pause in it', 5, [], [pause(2, 4)], 7],
    ['stays if a pause begins after it', 5, [], [pause(5, 7)], 5],
    ['moves back with a pause that is taken back', 7, [pause(2, 4)], [pause(2, 2)], 5],
    ['moves back over a later pause', 10, [pause(1, 3), pause(6, 9)], [pause(1, 1), pause(6, 9)], 5],
    ['stays in a pause without an end', 5, [], [pause(2, null)], 5],
    ['moves when a pause without an end is ended', 5, [pause(2, null)], [pause(2, 30)], 33],
  ] as const)('%s', (_, until, before, after, end) => {
    expect(movedEnd({ from: 0, until }, before, after)).toBe(end);
  });

  it('leaves the same number of payments reduced, however pauses change', () => {
    const range = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 6 }));
    const anyPauses = fc.array(range, { maxLength: 4 }).map((ranges) => {
      let end = 0;
      return ranges.map(([gap, length]) => {
        const start = end + gap;
        end = start + length;
        return pause(start, end);
      });
    });
    fc.assert(
      fc.property(
        fc.array(anyPauses, { maxLength: 6 }),
        fc.integer({ min: 1, max: 24 }),
        (steps, periods) => {
          let [before, until]: [readonly Pause[], number] = [[], periods];
          for (const after of steps) {
            // The pauses that have begun stay, as they do in the books.
            until = movedEnd({ from: 0, until }, before, after.length > 0 ? after : before) ?? 0;
            if (after.length > 0) before = after;
            expect(periodsLeft({ from: 0, until }, before, 0n)).toBe(periods);
          }
        },
      ),
    );
  });
});

it('a payment in a pause without an end is reduced if the discount goes on', () => {
  const discount = { name: 'Half', percentBps: 5_000, amount: null, from: 0, until: 3 };
  const at = (index: bigint, from: number) =>
    discountAt({ discount, waivers: [{ ...waiver, ...pause(from, null) }] }, index);
  expect([at(9n, 2), at(9n, 3), at(1n, 2)]).toEqual([discount, null, discount]);
});

const waiver = {
  id: 'w',
  keepsAccess: false,
  reason: null,
  actor: 'OPERATOR' as const,
  createdAt: new Date(0),
  endedAt: null,
};
