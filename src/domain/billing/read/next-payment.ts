import type { Plan, Subscription } from '../../../generated/prisma/client.ts';
import { COLLECTING } from '../book/status.ts';

/** The next payment or the end of a subscription, as reported to merchants. */
export interface NextPayment {
  /** Due date of the next or overdue payment; null if no more payments will be collected. */
  readonly nextPaymentAt: Date | null;
  /**
   * End of the paid time of a subscription that ends or has ended; null if it continues or has
   * expired. If no paid time was left, it is the time of the cancellation.
   */
  readonly accessUntil: Date | null;
}

type DueDates = Pick<Subscription, 'status' | 'cancelAtPeriodEnd' | 'nextPaymentAt' | 'accessUntil'>;

/**
 * The next payment or the end. A subscription that is cancelled at the end of its period is not
 * collected again: its next due date is its end. So is one whose plan ends before that date.
 */
export function nextPaymentOf({
  status,
  cancelAtPeriodEnd,
  nextPaymentAt,
  accessUntil,
  plan,
}: DueDates & { readonly plan: Pick<Plan, 'endsAt'> }): NextPayment {
  if (!COLLECTING.includes(status)) return { nextPaymentAt: null, accessUntil };
  const planEndsBefore = plan.endsAt !== null && nextPaymentAt !== null && plan.endsAt <= nextPaymentAt;
  return cancelAtPeriodEnd || planEndsBefore
    ? { nextPaymentAt: null, accessUntil: nextPaymentAt }
    : { nextPaymentAt, accessUntil };
}
