/** What is previewed is what is charged, for any prices, limits, and payments of the same period. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Book,
  type BookedDiscount,
  type BookedPayment,
  type BookedSubscription,
  paidAmountOf,
} from '../../../../src/domain/billing/book/book.ts';
import { guardPull } from '../../../../src/domain/billing/collect/guard-pull.ts';
import { LINE_KINDS, totalOf } from '../../../../src/domain/billing/price/line.ts';
import { aheadOf, periodsToRead } from '../../../../src/domain/billing/read/ahead-of.ts';
import { paymentPeriod } from '../../../../src/domain/billing/schedule/period.ts';
import { paymentOf } from '../../../../src/domain/billing/settle/payment-of-period.ts';

// A subscription that started at 0 and is billed each hour. The payment of its second hour is due.
const HOUR = 3_600n;
const now = new Date(Number(HOUR) * 1_000);
const period = paymentPeriod(
  { startedAt: 0n, periodSeconds: HOUR, intervalSeconds: HOUR, anchorOffsetSeconds: 0n },
  1n,
);

interface Case {
  /** The price and the limit, in base units. */
  readonly price: bigint;
  readonly maxAmount: bigint;
  /** The discount of some of its payments. */
  readonly discount: BookedDiscount | null;
  /** What the scheduled payment owes, if it exists: that of an earlier price. */
  readonly owed: bigint | null;
  readonly hasLines: boolean;
  /** What other payments of the period have received. */
  readonly paid: readonly bigint[];
  /** What other payments of the period still owe. */
  readonly open: readonly bigint[];
}

const MAX = 2n ** 63n - 1n;
// Small amounts meet the limit often; large ones must not overflow.
const units = fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, MAX));
const anyDiscount: fc.Arbitrary<BookedDiscount> = fc
  .record({
    percentBps: fc.option(fc.integer({ min: 1, max: 10_000 })),
    fixed: units,
    from: fc.integer({ min: 0, max: 2 }),
    periods: fc.option(fc.integer({ min: 1, max: 2 })),
  })
  .map(({ percentBps, fixed, from, periods }) => ({
    name: 'Spring',
    percentBps,
    amount: percentBps === null ? fixed : null,
    from,
    until: periods === null ? null : from + periods,
  }));
const anyPeriod = fc.record({
  discount: fc.option(anyDiscount),
  price: units,
  maxAmount: units,
  owed: fc.option(units),
  hasLines: fc.boolean(),
  paid: fc.array(units, { maxLength: 3 }),
  open: fc.array(units, { maxLength: 2 }),
});
// The scheduled payment is the first of its period: without it there are no others.
const anyCase: fc.Arbitrary<Case> = anyPeriod.map((any) =>
  any.owed === null ? { ...any, paid: [], open: [] } : any,
);

function bookOf({ price, maxAmount, discount, owed, hasLines, paid, open }: Case): Book {
  const book = new Book({
    id: 'row',
    environment: 'TEST',
    address: 'address',
    status: 'ACTIVE',
    chainCreatedAt: 0n,
    anchorOffsetSeconds: 0,
    nextPaymentAt: now,
    nextAttemptAt: now,
    cancelAtPeriodEnd: false,
    waivers: [],
    discount,
    plan: {
      name: 'Gold',
      amount: price,
      maxAmount,
      periodSeconds: Number(HOUR),
      intervalSeconds: Number(HOUR),
      endsAt: null,
    },
  } as unknown as BookedSubscription);
  for (const start of periodsToRead(book, now)) book.markRead(start);
  const load = (fields: Partial<BookedPayment>) =>
    book.load({ periodStart: period.periodStart, lines: [], paidAmount: 0n, ...fields } as BookedPayment);
  if (owed !== null) {
    const lines = hasLines ? [{ kind: 'FLAT', text: 'Gold', amount: owed }] : [];
    load({ ordinal: 0, status: 'DUE', kind: 'PERIOD', amount: owed, lines });
  }
  for (const [index, amount] of paid.entries()) {
    load({ ordinal: 1 + index, status: 'SUCCEEDED', kind: 'EXTRA', amount, paidAmount: amount });
  }
  for (const [index, amount] of open.entries()) {
    load({ ordinal: 1 + paid.length + index, status: 'DUE', kind: 'EXTRA', amount });
  }
  return book;
}

/** What is pulled for the scheduled payment from an account that shows what the books have. */
function charge(book: Book): bigint {
  const booked = paidAmountOf(book.paymentsOf(period.periodStart));
  const { amount, status } = paymentOf(book, period, now);
  if (status !== 'DUE') return 0n;
  const account = {
    periodStart: period.periodStart,
    pulled: booked,
    amount: book.subscription.plan.maxAmount,
  };
  const guarded = guardPull(account, { amount, period, booked, isOld: false });
  return guarded.kind === 'pull' ? guarded.amount : 0n;
}

const previewOf = (any: Case) => {
  const { upcomingPayment } = aheadOf(bookOf(any), now);
  if (!upcomingPayment) throw new Error('nothing is ahead');
  return upcomingPayment;
};
/** The price of the second payment after its discount, by the rule in words. */
function reducedPrice({ price, discount }: Case): bigint {
  if (!discount || discount.from > 1 || (discount.until !== null && discount.until <= 1)) return price;
  if (discount.amount !== null) return discount.amount < price ? price - discount.amount : 0n;
  return (price * BigInt(10_000 - (discount.percentBps ?? 0))) / 10_000n;
}
const leftOf = ({ maxAmount, paid }: Case) => {
  const left = maxAmount - paid.reduce((sum, amount) => sum + amount, 0n);
  return left > 0n ? left : 0n;
};

describe('the preview of a payment', () => {
  it('is what is charged, line by line', () => {
    fc.assert(
      fc.property(anyCase, (any) => {
        const book = bookOf(any);
        const { total, lines, dueAt } = previewOf(any);
        expect(dueAt).toEqual(now);
        expect(charge(book)).toBe(total);
        const { lines: charged } = paymentOf(book, period, now);
        expect(lines.slice(0, charged.length)).toEqual(charged);
      }),
      { numRuns: 10_000 },
    );
  });

  it('is exact, or the most that is charged if another payment is open', () => {
    fc.assert(
      fc.property(anyCase, (any) => {
        const { total, isExact } = previewOf(any);
        expect(isExact).toBe(any.open.length === 0);
        const afterOthers = { ...any, paid: [...any.paid, ...any.open], open: [] };
        expect(charge(bookOf(afterOthers))).toBeLessThanOrEqual(total);
      }),
    );
  });

  it('has lines in the order of their kinds that add up to 0 or more, within the limit', () => {
    fc.assert(
      fc.property(anyCase, (any) => {
        const { lines, total } = previewOf(any);
        const order = lines.map(({ kind }) => (LINE_KINDS as readonly string[]).indexOf(kind));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        expect(totalOf(lines)).toBe(total);
        expect(total).toBeGreaterThanOrEqual(0n);
        expect(total).toBeLessThanOrEqual(leftOf(any));
      }),
    );
  });

  it('is the price, what is owed already, or what is left of the limit', () => {
    fc.assert(
      fc.property(anyCase, (any) => {
        const owed = any.owed ?? reducedPrice(any);
        const left = leftOf(any);
        const fits = owed <= left;
        expect(previewOf(any).total).toBe(fits ? owed : left);
      }),
    );
  });
});
