import { describe, expect, test } from 'vitest';
import { reusedIds } from '../../chaos/failover.ts';
import { scheduleFailover } from '../../chaos/failover-schedule.ts';
import { isToldAgain } from '../../chaos/merchant-server.ts';

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
    expect(reusedIds(accepted)).toEqual([]);
  });

  test.each([
    ['position', [paid('1', 1, 'a'), paid('2', 1, 'b')]],
    ['charge', [paid('1', 1, 'a'), paid('2', 2, 'a')]],
    ['refund', [refunded('1', 'x'), refunded('2', 'x')]],
  ])('a %s with two ids is named', (_, accepted) => {
    expect(reusedIds(accepted)).toEqual([expect.stringContaining('has the ids 1, 2')]);
  });
});

const payers = Array.from({ length: 20 }, (_, index) => index + 30);
const schedule = (seed: number, replication: 'synchronous' | 'asynchronous', rounds = 2) =>
  scheduleFailover(seed, { replication, rounds, payers });

test('a seed says when and how the primary is lost', () => {
  expect(schedule(7, 'synchronous', 7)).toEqual(schedule(7, 'synchronous', 7));
  const orders = Array.from({ length: 40 }, (_, seed) => schedule(seed, 'synchronous'));
  expect(new Set(orders.map(({ round }) => round))).toEqual(new Set([0, 1]));
  expect(new Set(orders.map(({ isSilent }) => isSilent))).toEqual(new Set([true, false]));
});

test('only an asynchronous standby has received nothing, while merchants cancel', () => {
  expect(schedule(7, 'synchronous')).toMatchObject({ unreceivedMs: 0, cancelled: [] });
  const { unreceivedMs, cancelled, ...same } = schedule(7, 'asynchronous');
  expect(schedule(7, 'synchronous')).toMatchObject({ ...same, replication: 'synchronous' });
  expect(unreceivedMs).toBeGreaterThan(0);
  expect(cancelled).toHaveLength(4);
  expect(cancelled.filter((index) => !payers.includes(index))).toEqual([]);
});

describe('an event that arrives again', () => {
  const event = { ...paid('1', 2, 'a'), timestamp: 5 };
  test('in a later timeline has the same data and a higher number', () => {
    expect(isToldAgain(event, { ...paid('1', 3_001, 'a'), timestamp: 9 } as typeof event)).toBe(true);
  });

  test('refunds of one payment may come in another order', () => {
    const at = (sequence: number, refundedAmount: string) => {
      const event = { ...refunded('1', 'x'), sequence, timestamp: 0 };
      return { ...event, data: { ...event.data, refundedAmount } } as Parameters<typeof isToldAgain>[0];
    };
    expect(isToldAgain(at(3, '5'), at(3_001, '2'))).toBe(true);
    expect(isToldAgain(at(3, '5'), at(4, '2'))).toBe(false);
  });

  test.each([
    ['data', paid('1', 3_001, 'b')],
    ['a number of the same timeline', paid('1', 3, 'a')],
  ])('with other %s has changed', (_, later) => {
    expect(isToldAgain(event, later)).toBe(false);
  });
});
