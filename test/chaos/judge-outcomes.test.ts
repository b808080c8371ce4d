import { describe, expect, test } from 'vitest';
import { judgeDiscounts } from '../../chaos/discounts.ts';
import type { Calendar } from '../../chaos/judge.ts';
import { judgeOutcomes, type ListedPayment, type Outcomes } from '../../chaos/judge-outcomes.ts';
import { expectationOf } from '../../chaos/parts.ts';

const DAY_SECONDS = 86_400;
const PRICE = 100n;
const HALF = 50n;
const calendar: Calendar = {
  rounds: [0, DAY_SECONDS, 2 * DAY_SECONDS],
  creations: [0],
  intervalSeconds: DAY_SECONDS,
  price: PRICE,
  reducedPrice: HALF,
  limit: 2n * PRICE,
};
/** Pays, pays half of the price, and has a payment waived. */
const expected = {
  ...expectationOf(
    { name: 'the payment is waived during collection', in: 2, backIn: 2 },
    { rounds: 3, every: 1, created: false },
  ),
  reduced: [1],
  maxReduced: 1,
};
const transfer = (signature: string, day: number, amount = PRICE) => ({
  signature,
  blockTime: day * DAY_SECONDS + 10,
  amount,
  source: 'customer',
  destination: 'merchant',
});
const payment = (day: number, amount = PRICE, changed: Partial<ListedPayment> = {}): ListedPayment => ({
  kind: 'PERIOD',
  status: 'SUCCEEDED',
  dueAt: day * DAY_SECONDS,
  amount,
  paidAmount: amount,
  lines: [
    { kind: 'FLAT', amount: PRICE },
    ...(amount < PRICE ? [{ kind: 'DISCOUNT', amount: amount - PRICE }] : []),
  ],
  ...changed,
});
const waived = payment(2, PRICE, { status: 'WAIVED', paidAmount: 0n });
const [full, half] = [payment(0), payment(1, HALF)];
const correct: Outcomes = {
  transfers: [transfer('a', 0), transfer('b', 1, HALF)],
  pulledByMerchant: new Map(),
  payments: [full, half, waived],
  signed: [{ at: DAY_SECONDS - 1, price: HALF }],
};
const found = (outcomes: Partial<Outcomes>) =>
  judgeOutcomes(expected, calendar, { ...correct, ...outcomes }).map(({ what }) => what);

describe('the judge of periods', () => {
  test('has no findings where each period is charged, or waived', () => {
    expect(found({})).toEqual([]);
  });

  test('finds a charge of a waived period, unless the merchant collected', () => {
    const transfers = [...correct.transfers, transfer('c', 2)];
    expect(found({ transfers })).toContain('charge of a waived period');
    expect(found({ transfers, pulledByMerchant: new Map([['c', PRICE]]) })).not.toContain(
      'charge of a waived period',
    );
  });

  test.each<[string, string, Partial<Outcomes>]>([
    ['periods', 'without a payment', { payments: [full, half] }],
    ['periods', 'with two payments', { payments: [full, half, waived, waived] }],
    [
      'periods',
      'that is neither charged, waived nor missed',
      { payments: [full, half, { ...waived, status: 'DUE' }] },
    ],
    ['periods', 'that is charged by the rows only', { transfers: correct.transfers.slice(1) }],
    ['paid amount', 'less than on chain', { payments: [{ ...full, paidAmount: HALF }, half, waived] }],
    [
      'paid amount',
      'less than what the lines say',
      {
        transfers: [transfer('a', 0, HALF), transfer('b', 1, HALF)],
        payments: [{ ...full, paidAmount: HALF }, half, waived],
      },
    ],
    ['lines', 'without the discount', { payments: [full, { ...half, lines: full.lines }, waived] }],
    [
      'lines',
      'with another price',
      { payments: [{ ...full, lines: [{ kind: 'FLAT', amount: HALF }] }, half, waived] },
    ],
    [
      'reduced payments',
      'more than the discount has',
      { transfers: [transfer('a', 0, HALF), transfer('b', 1, HALF)] },
    ],
    ['shown price', 'below the charge', { signed: [{ at: DAY_SECONDS - 1, price: PRICE }] }],
    ['shown price', 'above the charge', { signed: [{ at: -1, price: HALF }] }],
  ])('finds wrong %s: %s', (what, _, outcomes) => {
    expect(found(outcomes)).toContain(what);
  });

  test('counts a missed period, and none after the end of a subscription', () => {
    const missed = { ...waived, status: 'MISSED' };
    expect(found({ payments: [full, half, missed] })).toEqual([]);
    const cancelled = expectationOf(
      { name: 'cancels', in: 2, backIn: 2 },
      { rounds: 3, every: 1, created: false },
    );
    const ended = { ...correct, payments: [full, half] };
    expect(judgeOutcomes({ ...cancelled, maxReduced: 1 }, calendar, ended)).toEqual([]);
  });
});

describe('the judge of discounts', () => {
  const use = (wallet: string, discount: 'SCARCE' | 'ONCE' | undefined, hasSecondDiscount = false) => ({
    wallet,
    discount,
    hasSecondDiscount,
  });
  const limits = (...args: Parameters<typeof judgeDiscounts>) =>
    judgeDiscounts(...args).map(({ what }) => what);

  test('has no findings within the limits', () => {
    const uses = [use('a', 'SCARCE'), use('b', undefined), use('c', 'ONCE'), use('d', 'ONCE')];
    expect(limits(uses, { SCARCE: 1, ONCE: 2 })).toEqual([]);
    // A customer whose other checkout got the discount signs for the full price.
    expect(limits([use('a', undefined, true)], { ONCE: 1 })).toEqual([]);
  });

  test('finds more uses than the limit, by what was signed or by what dues counts', () => {
    expect(limits([use('a', 'SCARCE'), use('b', 'SCARCE')], { SCARCE: 1 })).toEqual(['discount limit']);
    expect(limits([use('a', 'SCARCE')], { SCARCE: 2 })).toEqual(['discount limit']);
  });

  test('finds a customer who gets a discount twice', () => {
    const twice = ['discount limit of a customer'];
    expect(limits([use('a', 'ONCE'), use('a', 'ONCE')], {})).toEqual(twice);
    expect(limits([use('a', 'ONCE', true)], {})).toEqual(twice);
  });
});
