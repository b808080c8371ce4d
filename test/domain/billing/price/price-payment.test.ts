import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf, totalOf } from '../../../../src/domain/billing/price/line.ts';
import type { DiscountValue } from '../../../../src/domain/billing/price/line-source.ts';
import { monthlyRevenue } from '../../../../src/domain/billing/price/monthly-revenue.ts';
import { pricePayment } from '../../../../src/domain/billing/price/price-payment.ts';
import { recurringPrice } from '../../../../src/domain/billing/price/sources/discount.ts';

interface Reduction extends DiscountValue {
  readonly price?: bigint;
}

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

  it.each([
    ['a third', { percentBps: 3_333, amount: null }, 6_667_000n],
    ['a part of 7 units', { percentBps: 5_000, amount: null, price: 7n }, 3n],
    ['everything', { percentBps: 10_000, amount: null }, 0n],
    ['an amount', { percentBps: null, amount: 1n }, 9_999_999n],
    ['more than the price', { percentBps: null, amount: 10_000_001n }, 0n],
  ])('is reduced by %s, rounded down', (_, { price = gold.price, ...value }: Reduction, total) => {
    const lines = pricePayment({ ...gold, price, discount: { name: 'Spring', ...value } });
    expect(lines).toEqual([
      { kind: 'FLAT', text: 'Gold', amount: price },
      { kind: 'DISCOUNT', text: 'Spring', amount: total - price },
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

it.each([
  ['without a discount', null, null, 10_000_000n],
  ['whose discount reduces all payments', 5_000, null, 5_000_000n],
  ['whose discount reduces two more payments', 5_000, 2, 5_000_000n],
  ['whose discount reduces one more payment', 5_000, 1, 10_000_000n],
] as const)('the recurring revenue counts the price %s', (_, percentBps, left, counted) => {
  const discount = percentBps === null ? null : { percentBps, amount: null };
  expect(recurringPrice(10_000_000n, discount, left)).toBe(counted);
});

it.each([
  ['a day', 86_400, 300n],
  ['30 days', 2_592_000, 10n],
  ['730 hours', 2_628_000, 9n],
])('the monthly revenue of 10 units every %s is rounded down', (_, seconds, revenue) => {
  expect(monthlyRevenue(10n, seconds)).toBe(revenue);
});

it('lines of a row are read as they were written, and a row without lines has none', () => {
  const stored = [{ kind: 'FLAT', text: 'Gold', amount: '9223372036854775807' }];
  expect(linesOf({ lines: stored })).toEqual([{ kind: 'FLAT', text: 'Gold', amount: 2n ** 63n - 1n }]);
  expect(linesOf({ lines: null })).toEqual([]);
});
