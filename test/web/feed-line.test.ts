import { describe, expect, it } from 'vitest';
import { sampleEvents } from '../../src/domain/messages/webhook/sample-events.ts';
import { feedLine, planIdOf } from '../../web/dashboard/pages/overview/feed-line.ts';

const PLAN = {
  planId: 'pro',
  name: 'Pro',
  mint: 'mint',
  asset: { mint: 'mint', symbol: 'USDC', decimals: 6 },
};

function lineOf(type: keyof typeof sampleEvents, plan: typeof PLAN | null = PLAN): string[] {
  const event = { id: '1', type, createdAt: '2026-12-01T00:00:00Z', data: sampleEvents[type] };
  expect(planIdOf(event) ?? 'sample').toBe('sample');
  const { title, outcome, tone, details } = feedLine(event, plan ?? undefined);
  return [title, outcome, tone, ...details];
}

describe('the feed says who and how much', () => {
  it.each([
    ['subscription.payment_succeeded', ['5.00 USDC from customer@example.com', 'Collected', 'good', 'Pro']],
    [
      'subscription.payment_failed',
      ['5.00 USDC from customer@example.com', 'Failed', 'bad', 'Balance too low', 'Pro'],
    ],
    ['subscription.payment_missed', ['5.00 USDC from customer@example.com', 'Missed', 'warn', 'Pro']],
    ['subscription.payment_reversed', ['5.00 USDC from customer@example.com', 'Reversed', 'bad', 'Pro']],
    ['payment.refunded', ['5.00 USDC to customer@example.com', 'Refunded', 'neutral', 'Pro']],
    ['subscription.created', ['customer@example.com', 'New subscription', 'neutral', 'Pro']],
  ] as const)('of %s', (type, line) => {
    expect(lineOf(type)).toEqual(line);
  });

  it('without the amount if the plan, which names the token, is not known', () => {
    expect(lineOf('subscription.payment_succeeded', null)).toEqual([
      'customer@example.com',
      'Collected',
      'good',
      'sample',
    ]);
    expect(lineOf('subscription.created', null)).toEqual([
      'customer@example.com',
      'New subscription',
      'neutral',
      'Sample plan',
    ]);
  });

  it('of every event with a sample', () => {
    for (const type of Object.keys(sampleEvents) as (keyof typeof sampleEvents)[]) {
      // A state names the merchant's id of the customer.
      const customer = type === 'customer.state_changed' ? 'sample' : 'customer@example.com';
      expect(lineOf(type)[0]).toContain(customer);
    }
  });
});
