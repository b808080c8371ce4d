import type { SubscriptionAnswer, SubscriptionDetailAnswer } from '../../../src/api/portal/answers.ts';
import { portal as text } from '../../shared/text/portal.ts';
import { billingNow } from '../../shared/time/billing-now.ts';
import { formatDate } from '../shared/dates.ts';

/** Whether the subscription ends at the end of its period. */
export function isEnding({ status, nextPaymentAt }: SubscriptionAnswer): boolean {
  return (status === 'ACTIVE' || status === 'PAST_DUE') && nextPaymentAt === null;
}

/** Whether the customer still has time that is paid for. */
export function isPaidFor({ accessUntil }: SubscriptionAnswer): boolean {
  return accessUntil !== null && new Date(accessUntil) > billingNow();
}

/**
 * What happens next with a subscription. If the approval no longer covers the next charge, that
 * comes first. `price` is the next charge, as it is shown.
 */
export function describeStatus(subscription: SubscriptionDetailAnswer, price: string): string {
  const { summary } = text;
  const { status, nextPaymentAt, accessUntil, wallet } = subscription;
  if (nextPaymentAt !== null) {
    const lost = wallet && wallet.approval !== 'OK' ? summary.lost[wallet.approval] : undefined;
    if (status === 'PAST_DUE') return lost ? lost.overdue : summary.overdue;
    const date = formatDate(nextPaymentAt);
    return lost ? lost.next(date) : summary.next(price, date);
  }
  if (accessUntil !== null && isEnding(subscription)) return summary.ending(formatDate(accessUntil));
  if (accessUntil !== null && isPaidFor(subscription)) return summary.paidUntil(formatDate(accessUntil));
  return status === 'EXPIRED' ? summary.expired : summary.ended;
}
