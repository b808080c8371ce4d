import type { Subscription } from '../../../generated/prisma/client.ts';
import { COLLECTING } from '../book/status.ts';

/** The next payment or the end of a subscription, as reported to merchants. */
export interface NextPayment {
  /** Due date of the next or overdue payment; null if no more payments will be collected. */
  readonly nextPaymentAt: Date | null;
  /**
   * End of the paid time of an ending subscription; null if it continues, or no paid time was left.
   */
  readonly accessUntil: Date | null;
}

/**
 * A subscription that its merchant cancels at the end of the period is not collected again: its
 * next due date is its end.
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
