import { describe, expect, test } from 'vitest';
import { type Calendar, type Evidence, judge } from '../../chaos/judge.ts';
import { judgeRefunds, type RefundedPayment } from '../../chaos/judge-refunds.ts';
import { expectationOf, type PartName } from '../../chaos/parts.ts';

const DAY_SECONDS = 86_400;
const PRICE = 100n;
const calendar: Calendar = {
  rounds: [0, DAY_SECONDS],
  creations: [0],
  intervalSeconds: DAY_SECONDS,
  price: PRICE,
  reducedPrice: PRICE / 2n,
  limit: 2n * PRICE,
};
const expected = expectationOf({ name: 'pays', in: 0, backIn: 0 }, { rounds: 2, every: 1, created: false });

const transfer = (signature: string, blockTime: number, amount = PRICE) => ({
  signature,
  blockTime,
  amount,
  source: 'customer',
  destination: 'merchant',
});
const [START, SECOND_START] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
const webhook = (
  sequence: number,
  signature: string,
  event = 'subscription.payment_succeeded',
  startedAt = START,
  amount = PRICE,
) => ({
  id: `${sequence} ${signature}`,
  event,
  sequence,
  data: { subscriptionId: 's', startedAt, amount: String(amount), signature },
});
const startingAt = (startedAt: string | undefined) => (one: ReturnType<typeof webhook>) => ({
  ...one,
  data: { ...one.data, startedAt: startedAt as string },
});
const correct: Evidence = {
  pulledByMerchant: new Map(),
  transfers: [transfer('a', 10), transfer('b', DAY_SECONDS + 10)],
  webhooks: [webhook(1, 'a'), webhook(2, 'b')],
  listed: [{ state: 'active', paymentNumber: 2, startedAt: START }],
  payments: [
    { signature: 'a', amount: PRICE },
    { signature: 'b', amount: PRICE },
  ],
};
const found = (evidence: Partial<Evidence>, times = calendar) =>
  judge(expected, times, { ...correct, ...evidence }).map(({ what }) => what);

describe('the judge', () => {
  test('has no findings in correct books', () => {
    expect(found({})).toEqual([]);
  });

  test('finds a second charge in a period, and names both signatures', () => {
    const transfers = [transfer('a', 10), transfer('a2', 20), transfer('b', DAY_SECONDS + 10)];
    const [finding] = judge(expected, calendar, { ...correct, transfers });
    expect(finding).toEqual({ what: 'double charge', detail: 'subscription 0, period 0: a a2' });
  });

  test('allows what the merchant collects beside a charge, up to the limit', () => {
    const collected = (amount: bigint): Partial<Evidence> => ({
      transfers: [transfer('a', 10), transfer('m', 20, amount), transfer('b', DAY_SECONDS + 10)],
      pulledByMerchant: new Map([['m', amount]]),
      webhooks: [webhook(1, 'a'), webhook(2, 'm', undefined, undefined, amount), webhook(3, 'b')],
      payments: [
        { signature: 'a', amount: PRICE + amount },
        { signature: 'b', amount: PRICE },
      ],
    });
    const collects = expectationOf(
      { name: 'the merchant collects a part', in: 0, backIn: 0 },
      { rounds: 2, every: 1, created: false },
    );
    const foundOf = (evidence: Partial<Evidence>) =>
      judge(collects, calendar, { ...correct, ...evidence }).map(({ what }) => what);
    expect(foundOf(collected(PRICE))).toEqual([]);
    expect(foundOf({ ...collected(PRICE), pulledByMerchant: new Map() })).toEqual(['double charge']);
    expect(foundOf({ ...collected(PRICE), payments: correct.payments })).toEqual(['books']);
    expect(foundOf(collected(PRICE + 1n))).toEqual(['above the limit']);
  });

  test('distinguishes the same period of two subscriptions at an address', () => {
    expect(found({}, { ...calendar, creations: [0, DAY_SECONDS + 5] })).not.toContain('double charge');
  });

  test.each<[string, Partial<Evidence>]>([
    ['missing charge', { transfers: [transfer('a', 10)] }],
    ['amount', { transfers: [transfer('a', 10, 99n), transfer('b', DAY_SECONDS + 10)] }],
    ['status', { listed: [{ ...correct.listed[0], state: 'past_due' } as Evidence['listed'][number]] }],
    [
      'payment number',
      { listed: [{ ...correct.listed[0], paymentNumber: 1 } as Evidence['listed'][number]] },
    ],
    ['books', { payments: correct.payments.slice(1) }],
    ['books', { payments: [...correct.payments, { signature: 'c', amount: PRICE }] }],
    [
      'story',
      { webhooks: [webhook(1, 'a'), webhook(2, 'a', 'subscription.payment_failed'), webhook(3, 'b')] },
    ],
    ['order', { webhooks: [webhook(2, 'b'), webhook(1, 'a')] }],
    ['order', { webhooks: [webhook(1, 'a'), webhook(3, 'b')] }],
    ['start', { webhooks: [webhook(1, 'a'), webhook(2, 'b')].map(startingAt(SECOND_START)) }],
    ['start', { webhooks: [webhook(1, 'a'), webhook(2, 'b')].map(startingAt(undefined)) }],
    ['reported', { webhooks: [webhook(1, 'a'), webhook(2, 'x')] }],
    ['reported', { webhooks: [webhook(1, 'a')] }],
  ])('finds a wrong %s', (what, evidence) => {
    expect(found(evidence)).toContain(what);
  });

  test('accepts any order between two subscriptions at an address, not within one', () => {
    const back = { rounds: 2, every: 1, created: false };
    const returning = expectationOf({ name: 'cancels and subscribes again', in: 1, backIn: 1 }, back);
    const [paid, created] = ['subscription.payment_succeeded', 'subscription.created'];
    const first = (sequence: number, event: string) => webhook(sequence, event, event);
    const second = (sequence: number, event: string) => webhook(sequence, event, event, SECOND_START);
    const cancelled = first(2, 'subscription.cancelled');
    const listed = [START, SECOND_START].map((startedAt) => ({
      state: 'active',
      paymentNumber: 1,
      startedAt,
    }));
    const foundOf = (...webhooks: Evidence['webhooks']) =>
      judge(returning, calendar, { ...correct, listed, webhooks })
        .map(({ what }) => what)
        .filter((what) => what === 'story' || what === 'order');
    expect(foundOf(first(1, paid), cancelled, second(1, created), second(2, paid))).toEqual([]);
    expect(foundOf(second(1, created), second(2, paid), first(1, paid), cancelled)).toEqual([]);
    expect(foundOf(first(1, paid), second(1, created), cancelled, second(2, paid))).toEqual([]);
    expect(foundOf(first(1, paid), first(1, created), cancelled, first(2, paid))).toEqual(['story', 'order']);
    expect(foundOf(cancelled, second(1, created), first(1, paid), second(2, paid))).toEqual([
      'story',
      'order',
    ]);
    expect(foundOf(first(1, paid), second(1, paid), cancelled, second(2, created))).toEqual(['story']);
  });

  test('accepts the reduced price where it is expected, and nowhere else', () => {
    const amounts = (first: bigint, second: bigint) => ({
      transfers: [transfer('a', 10, first), transfer('b', DAY_SECONDS + 10, second)],
    });
    const foundOf = (name: PartName, evidence: Pick<Evidence, 'transfers'>) => {
      const discounted = expectationOf({ name, in: 1, backIn: 1 }, { rounds: 2, every: 1, created: false });
      const findings = judge(discounted, calendar, { ...correct, ...evidence });
      return findings.filter(({ what }) => what === 'amount').map(({ detail }) => detail.slice(-1));
    };
    const half = PRICE / 2n;
    expect(foundOf('gets a discount', amounts(PRICE, half))).toEqual([]);
    expect(foundOf('gets a discount', amounts(PRICE, PRICE))).toEqual(['b']);
    expect(foundOf('gets a discount', amounts(half, half))).toEqual(['a']);
    expect(foundOf('loses its discount during collection', amounts(PRICE, half))).toEqual([]);
    expect(foundOf('loses its discount during collection', amounts(PRICE, PRICE))).toEqual([]);
    expect(foundOf('loses its discount during collection', amounts(PRICE, half + 1n))).toEqual(['b']);
  });

  test('finds a charge after a cancellation', () => {
    const cancelled = expectationOf(
      { name: 'cancels', in: 1, backIn: 1 },
      { rounds: 2, every: 1, created: false },
    );
    expect(judge(cancelled, calendar, correct).map(({ what }) => what)).toContain('charge that is not due');
  });
});

describe('the judge of refunds', () => {
  const refundWebhook = (id: string, refundedAmount: bigint, amount: bigint) => ({
    id: `webhook of ${id}`,
    event: 'payment.refunded',
    sequence: 1,
    data: {
      subscriptionId: 's',
      startedAt: START,
      refundId: id,
      amount: String(amount),
      refundedAmount: String(refundedAmount),
      signature: `of ${id}`,
    },
  });
  const part = (id: string, amount: bigint) => ({
    id,
    amount,
    mayBeSentTwice: false,
    sent: [transfer(`of ${id}`, 10, amount)],
  });
  const row = (id: string, amount: bigint) => ({
    id,
    status: 'SUCCEEDED',
    amount: String(amount),
    signature: `of ${id}`,
  });
  const partialRefunds: RefundedPayment = {
    refunds: [part('one', 40n), part('two', 60n)],
    booked: [row('one', 40n), row('two', 60n)],
    refundedAmount: 100n,
    onReceipt: 100n,
    webhooks: [refundWebhook('two', 60n, 60n), refundWebhook('one', 100n, 40n)],
  };
  const foundIn = (evidence: Partial<RefundedPayment>) =>
    judgeRefunds({ ...partialRefunds, ...evidence }).map(({ what }) => what);

  test('has no findings in correct books with webhooks in another order than the refunds', () => {
    expect(foundIn({})).toEqual([]);
  });

  test.each<[string, Partial<RefundedPayment>]>([
    ['missing refund', { refunds: [{ ...part('one', 40n), sent: [] }, part('two', 60n)] }],
    [
      'double refund',
      {
        refunds: [
          { ...part('one', 40n), sent: [transfer('of one', 10, 40n), transfer('again', 11, 40n)] },
          part('two', 60n),
        ],
      },
    ],
    ['amount', { refunds: [{ ...part('one', 40n), sent: [transfer('of one', 10, 41n)] }, part('two', 60n)] }],
    ['books', { booked: [{ ...row('one', 40n), status: 'PENDING' }, row('two', 60n)] }],
    ['books', { booked: [{ ...row('one', 40n), signature: 'of a stranger' }, row('two', 60n)] }],
    ['a refund that was not requested', { booked: [...partialRefunds.booked, row('three', 1n)] }],
    ['refunded amount', { refundedAmount: 60n }],
    ['receipt', { onReceipt: 160n }],
    ['reported', { webhooks: partialRefunds.webhooks.slice(1) }],
    ['reported', { webhooks: [...partialRefunds.webhooks, refundWebhook('one', 140n, 40n)] }],
    ['reported', { webhooks: [refundWebhook('two', 60n, 60n), refundWebhook('one', 40n, 40n)] }],
  ])('finds a wrong %s', (what, evidence) => {
    expect(foundIn(evidence)).toContain(what);
  });

  test('accepts a second transfer of a refund that may have been sent twice', () => {
    const twice = { ...part('one', 40n), sent: [transfer('of one', 10, 40n), transfer('again', 11, 40n)] };
    expect(foundIn({ refunds: [{ ...twice, mayBeSentTwice: true }, part('two', 60n)] })).toEqual([]);
  });
});
