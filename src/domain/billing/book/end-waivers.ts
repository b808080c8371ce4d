import { unixSeconds } from '../../../chain/chain-time.ts';
import { metadataOf } from '../../kernel/input/metadata-of.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { paymentPeriod, periodIndexOf } from '../schedule/period.ts';
import type { Book, BookedWaiver } from './book.ts';

/**
 * Ends the waivers after which a payment is due. The payments that they waived have been written, or are
 * written in the same transaction.
 */
export function endPassedWaivers(book: Book, now: Date): void {
  const schedule = scheduleOf(book.subscription);
  const isPassed = ({ untilIndex }: BookedWaiver) =>
    untilIndex !== null && paymentPeriod(schedule, BigInt(untilIndex)).dueAt <= unixSeconds(now);
  endWaivers(book, book.subscription.waivers.filter(isPassed), now);
}

/** Ends waivers as they are. If the last pause ends, this is an event. */
export function endWaivers(book: Book, waivers: readonly BookedWaiver[], now: Date): void {
  for (const waiver of waivers) book.changeWaiver(waiver, { endedAt: now });
  const isPause = ({ kind }: BookedWaiver) => kind === 'PAUSE';
  if (waivers.some(isPause) && !book.subscription.waivers.some(isPause)) recordUnpaused(book, now);
}

/** Ends all waivers at the running period, because the customer subscribes again. */
export function stopWaivers(book: Book, now: Date): void {
  const { subscription } = book;
  const running = Math.max(0, Number(periodIndexOf(scheduleOf(subscription), unixSeconds(now))));
  for (const waiver of subscription.waivers) {
    const end = Math.min(waiver.untilIndex ?? running, running);
    book.changeWaiver(waiver, { untilIndex: Math.max(waiver.fromIndex, end), endedAt: now });
  }
}

/** Records that a subscription is not paused any more. */
export function recordUnpaused(book: Book, now: Date): void {
  const { subscription } = book;
  const { address: subscriptionId, customer, walletAddress, nextPaymentAt } = subscription;
  book.recordEvent(
    'subscription.unpaused',
    {
      subscriptionId,
      customer: { ...customer, walletAddress },
      nextPaymentDate: nextPaymentAt.toISOString(),
      metadata: metadataOf(subscription),
    },
    now,
  );
}
