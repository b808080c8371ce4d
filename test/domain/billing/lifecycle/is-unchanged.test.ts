import { expect, test } from 'vitest';
import {
  isUnchanged,
  type KnownSubscription,
} from '../../../../src/domain/billing/lifecycle/is-unchanged.ts';

const HOUR = 3_600;
const subscription = (
  chainCreatedAt: bigint,
  status: KnownSubscription['status'] = 'ACTIVE',
): KnownSubscription => ({
  chainCreatedAt,
  status,
  periodSeconds: HOUR,
});
const account = (periodStart: bigint, expiresAt = 0n, pulled = 5n) => ({ periodStart, pulled, expiresAt });

test.each([
  {
    name: 'a pull in the first period',
    known: [subscription(100n)],
    observed: account(100n),
    expected: true,
  },
  {
    name: 'a pull some periods later',
    known: [subscription(100n)],
    observed: account(100n + 7_200n),
    expected: true,
  },
  {
    name: 'a pull of a subscription that is past due',
    known: [subscription(100n, 'PAST_DUE')],
    observed: account(100n),
    expected: true,
  },
  { name: 'an unknown account', known: [], observed: account(100n), expected: false },
  { name: 'a cancellation', known: [subscription(100n)], observed: account(100n, 3_700n), expected: false },
  {
    name: 'a resumption',
    known: [subscription(100n, 'CANCELLED')],
    observed: account(100n),
    expected: false,
  },
  {
    name: 'an expired subscription that may be reactivated',
    known: [subscription(100n, 'EXPIRED')],
    observed: account(100n),
    expected: false,
  },
  {
    name: 'a subscription that begins at another time',
    known: [subscription(100n)],
    observed: account(107n),
    expected: false,
  },
  {
    name: 'a new subscription that begins some periods later',
    known: [subscription(100n)],
    observed: account(100n + 7_200n, 0n, 0n),
    expected: false,
  },
  {
    name: 'an older subscription that is not closed',
    known: [subscription(3_807n), subscription(100n)],
    observed: account(3_807n),
    expected: false,
  },
])('$name: $expected', ({ known, observed, expected }) => {
  expect(isUnchanged(known, observed)).toBe(expected);
});
