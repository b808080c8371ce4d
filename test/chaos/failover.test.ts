import { describe, expect, test } from 'vitest';
import { idsReused, scheduleFailover } from '../../chaos/failover.ts';

const data = { subscriptionId: 's', startedAt: '2026-01-01T00:00:00.000Z' };
const paid = (id: string, sequence: number, signature: string, subscriptionId = 's') => ({
  id,
  event: 'subscription.payment_succeeded',
  sequence,
  data: { ...data, subscriptionId, signature },
});
const refunded = (id: string, refundId: string) => ({
  id,
  event: 'payment.refunded',
  sequence: 3,
  data: { ...data, refundId },
});

describe('after a failover', () => {
  test('different events, charges and refunds reuse nothing', () => {
    const accepted = [
      paid('0', 1, 'a', 't'),
      paid('1', 1, 'a'),
      paid('2', 2, 'b'),
      refunded('3', 'x'),
      refunded('4', 'y'),
    ];
    expect(idsReused(accepted)).toBe(0);
  });

  test.each([
    ['position', [paid('1', 1, 'a'), paid('2', 1, 'b')]],
    ['charge', [paid('1', 1, 'a'), paid('2', 2, 'a')]],
    ['refund', [refunded('1', 'x'), refunded('2', 'x')]],
  ])('a %s with two ids is counted', (_, accepted) => {
    expect(idsReused(accepted)).toBe(1);
  });
});

test('a seed says when and how the primary is lost', () => {
  expect(scheduleFailover(7, 7)).toEqual(scheduleFailover(7, 7));
  const orders = Array.from({ length: 40 }, (_, seed) => scheduleFailover(seed, 2));
  expect(new Set(orders.map(({ round }) => round))).toEqual(new Set([0, 1]));
  expect(new Set(orders.map(({ isSilent }) => isSilent))).toEqual(new Set([true, false]));
});
