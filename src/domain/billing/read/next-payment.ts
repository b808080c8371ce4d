import type { Plan, Subscription } from '../../../generated/prisma/client.ts';
import { chargedAt } from '../../catalog/plan/charged-at.ts';
import { COLLECTING, isUnpaid } from '../book/status.ts';

/** The next payment or the end of a subscription, as reported to merchants. */
export interface NextPayment {
  /**
   * Due date of the next or overdue payment that is charged; null if no more payments will be collected, or
   * none until the subscription is resumed.
   */
  readonly nextPaymentAt: Date | null;
  /**
   * End of the access of a subscription that ends or has ended, or whose payment waits for a top-up; null if it
   * continues, or has expired without a grace. If no paid time was left, it is the time of the cancellation.
   */
  readonly accessUntil: Date | null;
}

type DueDates = Pick<
  Subscription,
  'status' | 'cancelAtPeriodEnd' | 'nextPaymentAt' | 'accessUntil' | 'waivedFrom' | 'waivedUntil'
>;

/**
 * The next payment that is charged, or the end. A subscription that is cancelled at the end of its period is not
 * collected again: its next due date is its end. So is one whose plan ends before that date.
 */
export function nextPaymentOf(subscription: DueDates & { readonly plan: Pick<Plan, 'endsAt'> }): NextPayment {
  const { status, cancelAtPeriodEnd, nextPaymentAt, plan } = subscription;
  if (!COLLECTING.includes(status)) return { nextPaymentAt: null, accessUntil: subscription.accessUntil };
  const unpaidUntil = isUnpaid(subscription) ? subscription.accessUntil : null;
  if (cancelAtPeriodEnd) return { nextPaymentAt: null, accessUntil: unpaidUntil ?? nextPaymentAt };
  const chargedNext = chargedAt(subscription);
  const planEndsBefore = plan.endsAt !== null && chargedNext !== null && plan.endsAt <= chargedNext;
  return planEndsBefore
    ? { nextPaymentAt: null, accessUntil: unpaidUntil ?? chargedNext }
    : { nextPaymentAt: chargedNext, accessUntil: unpaidUntil };
}
