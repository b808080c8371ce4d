import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf, totalOf } from '../../../../src/domain/billing/price/line.ts';
import { pricePayment } from '../../../../src/domain/billing/price/price-payment.ts';

const gold = { planName: 'Gold', price: 10_000_000n, limitLeft: 10_000_000n };

describe('a payment', () => {
  it('of a plain plan has one line, the price', () => {
    expect(pricePayment(gold)).toEqual([{ kind: 'FLAT', text: 'Gold', amount: 10_000_000n }]);
  });

  it.each([
    [7_500_000n, -2_500_000n],
    [0n, -10_000_000n],
    [-1n, -10_000_000n],
  ])('is cut at what is left of the limit: %s', (limitLeft, cut) => {
    expect(pricePayment({ ...gold, limitLeft })).toEqual([
      { kind: 'FLAT', text: 'Gold', amount: 10_000_000n },
      { kind: 'OVER_LIMIT', text: 'Above the limit', amount: cut },
    ]);
  });

  it('owes the price, or what is left of the limit', () => {
    const units = fc.bigInt(0n, 2n ** 63n - 1n);
    fc.assert(
      fc.property(units, units, (price, limitLeft) => {
        const total = totalOf(pricePayment({ planName: 'Gold', price, limitLeft }));
        expect([price, limitLeft]).toContain(total);
        expect(total <= price && total <= limitLeft).toBe(true);
      }),
    );
  });
});

it('lines of a row are read as they were written, and a row without lines has none', () => {
  const stored = [{ kind: 'FLAT', text: 'Gold', amount: '9223372036854775807' }];
  expect(linesOf({ lines: stored })).toEqual([{ kind: 'FLAT', text: 'Gold', amount: 2n ** 63n - 1n }]);
  expect(linesOf({ lines: null })).toEqual([]);
});
