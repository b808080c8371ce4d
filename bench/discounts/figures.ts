import type { Figures } from '../lib/figures.ts';

/** Checkouts that ask at the same time. */
export const CHECKOUTS = 1_000;
/** How many of them get the discount. */
export const LIMIT = 100;

export const DISCOUNTS_FIGURES = {
  reserved: {
    what: `checkouts that got the transactions at the reduced price, of ${CHECKOUTS} requests, with a discount for ${LIMIT}`,
    target: `>= ${LIMIT}`,
  },
  over: { what: 'reservations beyond the limit', target: '<= 0' },
  p99_ms: {
    what: `p99 of the requests, all ${CHECKOUTS} at the same time, until they are answered or refused`,
    target: '<= 200',
  },
  discount_ratio: {
    what: 'p99 where all of them get the discount',
    comparedWith: 'the same checkouts without a discount',
  },
  all_p99_ms: { what: 'p99 where all of them get the discount' },
  without_p99_ms: { what: 'p99 without a discount' },
} as const satisfies Figures;
