import { expect, it } from 'vitest';
import { groupByCharge } from '../../web/dashboard/pages/subscription/charges.ts';

const entry = (at: number, item: { __typename: string; type?: string; reason?: string }) => ({ at, item });
const attempt = (at: number) => entry(at, { __typename: 'Attempt' });
const payment = (at: number) => entry(at, { __typename: 'Payment' });
const event = (at: number, type: string) => entry(at, { __typename: 'Event', type });
const change = (at: number, reason: string) => entry(at, { __typename: 'SubscriptionTransition', reason });

const rowsOf = (entries: Parameters<typeof groupByCharge<ReturnType<typeof entry>>>[0]) =>
  groupByCharge(entries).map(({ entry: { at }, parts }) => [at, parts.map((part) => part.at)]);

it('a charge is one row, with its attempts, events and changes of status', () => {
  const history = [
    event(10, 'subscription.payment_succeeded'),
    change(9, 'payment_recovered'),
    attempt(8),
    event(7, 'subscription.payment_failed'),
    change(6, 'payment_failed'),
    attempt(5),
    payment(4),
    event(3, 'subscription.payment_succeeded'),
    attempt(2),
    payment(1),
  ];
  expect(rowsOf(history)).toEqual([
    [4, [10, 9, 8, 7, 6, 5]],
    [1, [3, 2]],
  ]);
});

it('what no charge caused has its own row, in order', () => {
  const history = [
    change(5, 'cancelled_by_merchant'),
    attempt(4),
    payment(3),
    event(2, 'subscription.created'),
    change(1, 'subscribed'),
  ];
  expect(rowsOf(history)).toEqual([
    [5, []],
    [3, [4]],
    [2, []],
    [1, []],
  ]);
});

it('parts whose payment is on the next page stay visible', () => {
  const history = [attempt(3), change(2, 'cancelled_on_chain'), event(1, 'subscription.payment_failed')];
  expect(rowsOf(history)).toEqual([
    [3, []],
    [2, []],
    [1, []],
  ]);
});
