import { expect, test } from 'vitest';
import {
  isUnchanged,
  type KnownSubscription,
} from '../../../../src/domain/billing/lifecycle/is-unchanged.ts';

const HOUR = 3_600;
const life = (chainCreatedAt: bigint, status: KnownSubscription['status'] = 'ACTIVE'): KnownSubscription => ({
  chainCreatedAt,
  status,
  intervalSeconds: HOUR,
});
const account = (periodStart: bigint, expiresAt = 0n) => ({ periodStart, expiresAt });

test.each([
  { name: 'a pull in the first period', lives: [life(100n)], seen: account(100n), is: true },
  { name: 'a pull some periods later', lives: [life(100n)], seen: account(100n + 7_200n), is: true },
  { name: 'of who is past due', lives: [life(100n, 'PAST_DUE')], seen: account(100n), is: true },
  { name: 'an unknown account', lives: [], seen: account(100n), is: false },
  { name: 'a cancellation', lives: [life(100n)], seen: account(100n, 3_700n), is: false },
  { name: 'a cancellation taken back', lives: [life(100n, 'CANCELLED')], seen: account(100n), is: false },
  { name: 'who may be coming back', lives: [life(100n, 'EXPIRED')], seen: account(100n), is: false },
  { name: 'a life that begins at another time', lives: [life(100n)], seen: account(107n), is: false },
  {
    name: 'an older life that is not closed',
    lives: [life(3_807n), life(100n)],
    seen: account(3_807n),
    is: false,
  },
])('$name: $is', ({ lives, seen, is }) => {
  expect(isUnchanged(lives, seen)).toBe(is);
});
