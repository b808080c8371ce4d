import { beforeEach, describe, expect, it } from 'vitest';
import { Book, type BookedSubscription, scheduledAt } from '../../../../src/domain/billing/book/book.ts';
import { type SeenTransfer, settleTransfer } from '../../../../src/domain/billing/settle/settle-transfer.ts';

// A subscription that started at 0 and costs 10 every 3,600 seconds. Its second period begins.
const PERIOD = 3_600n;
const now = new Date(Number(PERIOD) * 1_000);
const collector = 'collector';

let book: Book;
beforeEach(() => {
  book = new Book({
    id: 'row',
    merchantId: 'merchant',
    environment: 'TEST',
    address: 'address',
    status: 'ACTIVE',
    chainCreatedAt: 0n,
    anchorOffsetSeconds: 0,
    nextPaymentAt: now,
    nextAttemptAt: now,
    paymentCount: 1,
    failureCount: 0,
    lastSequence: 0,
    sequenceFloor: 0,
    metadata: {},
    waivers: [],
    customer: { email: 'ada@example.com', customerId: null },
    plan: {
      planId: 'gold',
      name: 'Gold',
      amount: 10n,
      maxAmount: 10n,
      periodSeconds: 3_600,
      intervalSeconds: 3_600,
      collectWithinSeconds: 0,
    },
  } as unknown as BookedSubscription);
  book.markRead(PERIOD);
});

function settle(amount: bigint, fields: Partial<SeenTransfer> = {}) {
  const transfer = { signature: 'signature', index: 0, slot: 1n, at: now, puller: 'merchant', ...fields };
  const observed = { ...transfer, subscription: 'address', plan: 'plan', amount, periodStart: PERIOD };
  return settleTransfer(book, observed, {
    now,
    feeLamports: null,
    collectors: [collector],
    ledger: { isComplete: () => true },
  });
}

const payments = () => book.paymentsOf(PERIOD);
const kindOfLines = () => payments().map(({ lines }) => lines.map(({ kind, amount }) => `${kind} ${amount}`));
const facts = () =>
  book.changes.events.map(({ data }) => data as { amount: string; paidAmount: string; kind: string });

describe('a transfer', () => {
  it('of the whole price is what is owed', () => {
    settle(10n, { puller: collector });
    expect(payments()).toMatchObject([{ amount: 10n, paidAmount: 10n, collectedByUs: true, ordinal: 0 }]);
    expect(facts()).toMatchObject([{ amount: '10', paidAmount: '10', kind: 'PERIOD' }]);
  });

  it('of the merchant over another amount leaves what is owed', () => {
    settle(4n);
    expect(payments()).toMatchObject([{ amount: 10n, paidAmount: 4n, status: 'SUCCEEDED' }]);
    settle(5n, { signature: 'second' });
    expect(payments()).toMatchObject([{ amount: 10n, paidAmount: 9n, signature: 'signature' }]);
    expect(facts().map(({ amount, paidAmount }) => [amount, paidAmount])).toEqual([
      ['4', '4'],
      ['5', '9'],
    ]);
  });

  it('in a period that was waived is an extra payment, with an id of its own', () => {
    const waived = book.addPayment({ periodStart: PERIOD, dueAt: now, kind: 'PERIOD', lines: [] });
    expect(waived).toMatchObject({ status: 'WAIVED', waivedReason: 'NOTHING_OWED', amount: 0n });
    settle(3n);
    settle(2n, { signature: 'second' });
    expect(payments()).toMatchObject([
      { ordinal: 0, status: 'WAIVED', paidAmount: 0n },
      { ordinal: 1, status: 'SUCCEEDED', kind: 'EXTRA', amount: 3n, paidAmount: 5n },
    ]);
    expect(kindOfLines()).toEqual([[], ['EXTRA 3']]);
    expect(new Set(payments().map(({ id }) => id)).size).toBe(2);
  });

  it('in a transaction of ours belongs to the payment that was sent in it', () => {
    book.addPayment({ periodStart: PERIOD, dueAt: now, kind: 'PERIOD', lines: [] });
    const lines = [{ kind: 'EXTRA', text: 'Setup', amount: 3n }] as const;
    const second = book.addPayment({ periodStart: PERIOD, dueAt: now, kind: 'EXTRA', lines });
    book.submit(second, { id: 'transaction', signature: 'ours', traceparent: null }, 0);
    settle(3n, { signature: 'ours', puller: collector });
    expect(book.payment({ periodStart: PERIOD, ordinal: 1 })).toMatchObject({
      status: 'SUCCEEDED',
      paidAmount: 3n,
      submitted: null,
    });
    expect(book.changes.endedAttempts).toMatchObject([{ status: 'SUCCEEDED' }]);
  });

  it('that counted as lost belongs to the payment for which it was signed', () => {
    settle(10n, { puller: collector });
    const lines = [{ kind: 'EXTRA', text: 'Setup', amount: 3n }] as const;
    const second = book.addPayment({ periodStart: PERIOD, dueAt: now, kind: 'EXTRA', lines });
    book.submit(second, { id: 'transaction', signature: 'lost', traceparent: null }, 0);
    book.endAttempt(book.payment(second) ?? second, 'VOID', now);
    settle(3n, { signature: 'lost', puller: collector });
    expect(payments()).toMatchObject([
      { ordinal: 0, paidAmount: 10n },
      { ordinal: 1, paidAmount: 3n, status: 'SUCCEEDED' },
    ]);
  });
});

it('a period that was not read has no payments that could be missing', () => {
  expect(() => book.paymentsOf(PERIOD * 2n)).toThrow('payment 0 of the period at 7200 has not been read');
  expect(book.payment(scheduledAt(PERIOD))).toBeUndefined();
});
