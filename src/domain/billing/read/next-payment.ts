import type { Subscription } from '../../../generated/prisma/client.ts';
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

/**
 * The next payment or the end. A subscription that is cancelled at the end of its period is not
 * collected again: its next due date is its end.
 */
export function nextPaymentOf({
  status,
  cancelAtPeriodEnd,
  nextPaymentAt,
  accessUntil,
}: Pick<Subscription, 'status' | 'cancelAtPeriodEnd' | 'nextPaymentAt' | 'accessUntil'>): NextPayment {
  if (!COLLECTING.includes(status)) return { nextPaymentAt: null, accessUntil };
  return cancelAtPeriodEnd
    ? { nextPaymentAt: null, accessUntil: nextPaymentAt }
    : { nextPaymentAt, accessUntil };
}
