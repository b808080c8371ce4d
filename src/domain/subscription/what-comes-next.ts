import type { Subscription } from '../../generated/prisma/client.ts';
import { COLLECTING } from './status.ts';

/** What is still to come of a subscription, as merchants are told it: either another payment or an end. */
export interface WhatComesNext {
  /** Due date of the payment that comes next, or is overdue now; null where nothing will be collected any more. */
  readonly nextPaymentAt: Date | null;
  /** Until when an ending subscription is paid for; null where it goes on, or nothing was left when it ended. */
  readonly accessUntil: Date | null;
}

/** One that its merchant lets run out is never collected again: what would be its next due date is its end. */
export function whatComesNext({
  status,
  cancelAtPeriodEnd,
  nextPaymentAt,
  accessUntil,
}: Pick<Subscription, 'status' | 'cancelAtPeriodEnd' | 'nextPaymentAt' | 'accessUntil'>): WhatComesNext {
  if (!COLLECTING.includes(status)) return { nextPaymentAt: null, accessUntil };
  return cancelAtPeriodEnd
    ? { nextPaymentAt: null, accessUntil: nextPaymentAt }
    : { nextPaymentAt, accessUntil };
}
