import { describe, expect, test } from 'vitest';
import { type Calendar, type Evidence, judge } from '../../chaos/judge.ts';
import { expectationOf } from '../../chaos/parts.ts';

const DAY = 86_400;
const PRICE = 100n;
const calendar: Calendar = { rounds: [0, DAY], creations: [0], intervalSeconds: DAY, price: PRICE };
const expected = expectationOf({ name: 'pays', in: 0, backIn: 0 }, { rounds: 2, every: 1, created: false });

const transfer = (signature: string, blockTime: number, amount = PRICE) => ({
  signature,
  blockTime,
  amount,
  source: 'customer',
});
const webhook = (sequence: number, signature: string, event = 'subscription.payment_succeeded') => ({
  id: `${sequence} ${signature}`,
  event,
  sequence,
  data: { subscriptionId: 's', amount: String(PRICE), signature },
});
const sound: Evidence = {
  transfers: [transfer('a', 10), transfer('b', DAY + 10)],
  webhooks: [webhook(1, 'a'), webhook(2, 'b')],
  listed: [{ state: 'active', paymentNumber: 2, startedAt: '2026-01-01T00:00:00.000Z' }],
  payments: [
    { signature: 'a', amount: PRICE },
    { signature: 'b', amount: PRICE },
  ],
};
const found = (evidence: Partial<Evidence>, times = calendar) =>
  judge(expected, times, { ...sound, ...evidence }).map(({ what }) => what);

describe('the judge', () => {
  test('has no findings in correct books', () => {
    expect(found({})).toEqual([]);
  });

  test('finds a second charge in a period, by both signatures', () => {
    const transfers = [transfer('a', 10), transfer('a2', 20), transfer('b', DAY + 10)];
    const [finding] = judge(expected, calendar, { ...sound, transfers });
    expect(finding).toEqual({ what: 'double charge', detail: 'subscription 0, period 0: a a2' });
  });

  test('distinguishes the same period of two subscriptions at an address', () => {
    expect(found({}, { ...calendar, creations: [0, DAY + 5] })).not.toContain('double charge');
  });

  test.each<[string, Partial<Evidence>]>([
    ['lost charge', { transfers: [transfer('a', 10)] }],
    ['amount', { transfers: [transfer('a', 10, 99n), transfer('b', DAY + 10)] }],
    ['status', { listed: [{ ...sound.listed[0], state: 'past_due' } as Evidence['listed'][number]] }],
    ['payment number', { listed: [{ ...sound.listed[0], paymentNumber: 1 } as Evidence['listed'][number]] }],
    ['books', { payments: sound.payments.slice(1) }],
    ['books', { payments: [...sound.payments, { signature: 'c', amount: PRICE }] }],
    [
      'story',
      { webhooks: [webhook(1, 'a'), webhook(2, 'a', 'subscription.payment_failed'), webhook(3, 'b')] },
    ],
    ['order', { webhooks: [webhook(2, 'b'), webhook(1, 'a')] }],
    ['order', { webhooks: [webhook(1, 'a'), webhook(3, 'b')] }],
    ['reported', { webhooks: [webhook(1, 'a'), webhook(2, 'x')] }],
    ['reported', { webhooks: [webhook(1, 'a')] }],
  ])('finds a wrong %s', (what, evidence) => {
    expect(found(evidence)).toContain(what);
  });

  test('finds a charge after a cancellation', () => {
    const cancelled = expectationOf(
      { name: 'cancels', in: 1, backIn: 1 },
      { rounds: 2, every: 1, created: false },
    );
    expect(judge(cancelled, calendar, sound).map(({ what }) => what)).toContain('charged without right');
  });
});
