import type { SubscriptionAnswer } from '../../../src/api/portal/answers.ts';
import { portal as text } from '../../shared/text/portal.ts';
import { billingNow } from '../../shared/time/billing-now.ts';
import { formatDate } from '../shared/dates.ts';

/** Whether the subscription ends at the end of its period. */
export function isEnding({ status, nextPaymentAt, accessUntil }: SubscriptionAnswer): boolean {
  return (status === 'ACTIVE' || status === 'PAST_DUE') && nextPaymentAt === null && accessUntil !== null;
}

/** Whether the customer still has time that is paid for. */
export function isPaidFor({ accessUntil }: SubscriptionAnswer): boolean {
  return accessUntil !== null && new Date(accessUntil) > billingNow();
}

/**
 * What happens next with a subscription. If the approval no longer covers the next charge, that
 * comes first. `price` is the next charge, as it is shown.
 */
export function describeStatus(subscription: SubscriptionAnswer, price: string): string {
  const { summary } = text;
  const { status, nextPaymentAt, accessUntil, pause, wallet } = subscription;
  const lost = describeLost(subscription);
  if (lost !== null)
    return `${lost} ${wallet?.approval === 'CLOSED' ? summary.subscribeAgain : summary.renew}`;
  if (pause && status === 'ACTIVE' && !isEnding(subscription)) {
    const from = formatDate(pause.from);
    const until =
      pause.until === null ? summary.untilResumed : summary.untilDate(price, formatDate(pause.until));
    return `${summary.paused(from)} ${pause.keepsAccess ? summary.pausedWithAccess : summary.pausedWithout} ${until}`;
  }
  if (nextPaymentAt !== null) {
    return status === 'PAST_DUE' ? summary.overdue : summary.next(price, formatDate(nextPaymentAt));
  }
  if (accessUntil !== null && isEnding(subscription)) return summary.ending(formatDate(accessUntil));
  if (accessUntil !== null && isPaidFor(subscription)) return summary.paidUntil(formatDate(accessUntil));
  return status === 'EXPIRED' ? summary.expired : summary.ended;
}

/** The same in a few words, for a list; null if nothing follows. */
export function describeNext(subscription: SubscriptionAnswer): string | null {
  const { status, nextPaymentAt, accessUntil, pause } = subscription;
  const lost = describeLost(subscription);
  if (lost !== null) return lost;
  if (pause && status === 'ACTIVE' && !isEnding(subscription)) {
    return pause.until === null ? text.paused : text.pausedUntil(formatDate(pause.until));
  }
  if (nextPaymentAt !== null) {
    const date = formatDate(nextPaymentAt);
    return status === 'PAST_DUE' ? text.overdueSince(date) : text.nextOn(date);
  }
  if (accessUntil === null || !isPaidFor(subscription)) return null;
  return isEnding(subscription) ? text.endsOn(formatDate(accessUntil)) : text.until(formatDate(accessUntil));
}

/** Why the next charge will fail, if its approval is gone; otherwise null. */
export function describeLost({ status, nextPaymentAt, wallet }: SubscriptionAnswer): string | null {
  const { summary } = text;
  if (nextPaymentAt === null || !wallet || wallet.approval === 'OK') return null;
  const reason = summary.lost[wallet.approval];
  return status === 'PAST_DUE'
    ? summary.lostOverdue(reason)
    : summary.lostNext(reason, formatDate(nextPaymentAt));
}
