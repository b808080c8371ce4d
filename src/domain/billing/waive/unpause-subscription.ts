import type { AppContext } from '../../../app.ts';
import { dateOf, unixSeconds } from '../../../chain/chain-time.ts';
import { invalidRequest } from '../../../errors.ts';
import { assertClockAgrees } from '../../chain-state/clock/clock-agrees.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { type Book, type BookedWaiver, paidAmountOf, scheduledAt, waivedReasonOf } from '../book/book.ts';
import { endWaivers, recordUnpaused } from '../book/end-waivers.ts';
import { type BillableSubscription, scheduleOf } from '../schedule/billable.ts';
import {
  decide,
  LANDING_SECONDS,
  type PaymentPeriod,
  paymentPeriod,
  periodIndexOf,
} from '../schedule/period.ts';
import { waiverOf } from '../schedule/waivers.ts';
import { changeWaivers } from './change-waivers.ts';

export interface UnpauseInput {
  readonly subscription: string;
  /**
   * Whether the running period is collected now, at its full price, if the pause has waived it. Otherwise the
   * pause ends at the next due date.
   */
  readonly chargeNow: boolean;
}

/**
 * Ends a pause early. One that has not begun is taken back. A customer may only resume after a pause of
 * their own.
 *
 * @throws BillingError not_found, param `subscription`; invalid_request, param `subscription` if it is not
 *   paused, has ended, ends with its period, or the merchant paused it and the customer resumes
 */
export async function unpauseSubscription(
  ctx: AppContext,
  scope: ActingScope,
  { subscription, chargeNow }: UnpauseInput,
): Promise<BillableSubscription> {
  await assertClockAgrees(ctx, chainOf(ctx, scope.environment));
  return changeWaivers(ctx, scope, subscription, {
    action: 'subscription.unpaused',
    rule: (book, now) => {
      const pauses = book.subscription.waivers.filter(({ kind }) => kind === 'PAUSE');
      if (pauses.length === 0) throw invalidRequest('subscription', 'The subscription is not paused.');
      if (scope.actor?.kind === 'CUSTOMER' && pauses.some(({ actor }) => actor !== 'CUSTOMER')) {
        throw invalidRequest('subscription', 'The merchant paused this subscription, and resumes it.');
      }
      const isCharged = chargeNow && collectRunning(book, now);
      return shorten(book, pauses, isCharged, now) || isCharged ? { chargeNow } : undefined;
    },
  });
}

/** The billing period that is running; undefined before the first one. */
function running(book: Book, now: Date): PaymentPeriod | undefined {
  const schedule = scheduleOf(book.subscription);
  const index = periodIndexOf(schedule, unixSeconds(now));
  return index < 0n ? undefined : paymentPeriod(schedule, index);
}

/** Makes the payment of the running period due, if a pause has waived it and there is time to collect it. */
function collectRunning(book: Book, now: Date): boolean {
  const period = running(book, now);
  if (!period || waiverOf(book.subscription.waivers, period.index)?.kind !== 'PAUSE') return false;
  const schedule = scheduleOf(book.subscription);
  if (decide(schedule, period.dueAt, unixSeconds(now), LANDING_SECONDS).kind !== 'collect') return false;
  // The plan's owner may have collected it.
  if (paidAmountOf(book.paymentsOf(period.periodStart)) > 0n) return false;
  const payment = book.payment(scheduledAt(period.periodStart));
  // Without a payment, none of the waived periods has been visited: the next visit collects it.
  if (payment && payment.status !== 'WAIVED') return false;
  if (payment && payment.amount === 0n) {
    // A discount takes all of it, so there is nothing to collect; the pause still ends before it.
    book.setPayment(payment, { waivedReason: waivedReasonOf(payment.lines) });
  } else if (payment) {
    book.setPayment(payment, { status: 'DUE', waivedReason: null });
    book.set({ nextPaymentAt: dateOf(period.dueAt), nextAttemptAt: now, claimedUntil: null });
  } else book.set({ nextAttemptAt: now, claimedUntil: null });
  return true;
}

/**
 * Lets pauses end: with the running period or, if that is charged, before it. A pause of which nothing is
 * left ends at once. Returns whether anything changed.
 */
function shorten(book: Book, pauses: readonly BookedWaiver[], isCharged: boolean, now: Date): boolean {
  const index = Number(running(book, now)?.index ?? -1n);
  const end = isCharged ? index : index + 1;
  const isOver = ({ fromIndex }: BookedWaiver) => fromIndex >= end;
  const shortened = pauses.filter(
    (pause) => !isOver(pause) && (pause.untilIndex === null || pause.untilIndex > end),
  );
  for (const pause of shortened) book.changeWaiver(pause, { untilIndex: end });
  const over = pauses.filter(isOver);
  for (const pause of over) book.changeWaiver(pause, { untilIndex: pause.fromIndex, endedAt: now });
  const isVisited = unixSeconds(book.subscription.nextPaymentAt) >= (running(book, now)?.dueAt ?? 0n);
  const left = book.subscription.waivers.filter(({ kind }) => kind === 'PAUSE');
  if (isCharged && isVisited && left.length > 0) endWaivers(book, left, now);
  else if (left.length === 0) recordUnpaused(book, now);
  return shortened.length + over.length > 0;
}
