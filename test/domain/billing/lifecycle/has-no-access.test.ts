import { expect, it } from 'vitest';
import {
  DEFAULT_RETRY_SETTINGS,
  retriesOf,
} from '../../../../src/domain/accounts/merchant/retry-settings.ts';
import type { BookedSubscription } from '../../../../src/domain/billing/book/book.ts';
import { hasNoAccess } from '../../../../src/domain/billing/lifecycle/end-subscription.ts';

const AT = new Date('2026-12-01T00:00:00Z');
const DAY = 86_400;

function subscriptionOf(
  status: string,
  failureCount: number,
  accessUntil: Date | null,
  cancelledAt = status === 'CANCELLED' ? new Date(AT.getTime() - 1) : null,
): BookedSubscription {
  const subscription = {
    status,
    failureCount,
    accessUntil,
    cancelledAt,
    nextPaymentAt: AT,
    chainCreatedAt: BigInt(AT.getTime() / 1000),
    anchorOffsetSeconds: 0,
    plan: { periodSeconds: DAY, intervalSeconds: DAY },
    waivers: [],
    settings: retriesOf('UNTIL_PAID', DEFAULT_RETRY_SETTINGS),
  };
  return subscription as unknown as BookedSubscription;
}

it.each([
  ['paid', 'ACTIVE', 0, null, false],
  ['collected by an old process while it waited', 'ACTIVE', 0, AT, false],
  ['retried', 'PAST_DUE', 2, null, false],
  ['retried, with fewer failures allowed since', 'PAST_DUE', 5, null, false],
  ['unpaid', 'PAST_DUE', 3, AT, true],
  ['unpaid, with more failures allowed since', 'PAST_DUE', 1, AT, true],
  ['cancelled in the paid time', 'CANCELLED', 0, AT, false],
  ['cancelled after failures', 'CANCELLED', 1, AT, true],
] as const)('no access before the next due date: %s', (_, status, failureCount, until, has) => {
  expect(hasNoAccess(subscriptionOf(status, failureCount, until))).toBe(has);
});

it('no access if it was cancelled while its payment was due, and not before', () => {
  const cancelledAt = (at: Date) => hasNoAccess(subscriptionOf('CANCELLED', 0, null, at));
  expect(cancelledAt(new Date(AT.getTime() - 1))).toBe(false);
  expect(cancelledAt(AT)).toBe(true);
});
