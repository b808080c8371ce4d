import { metadataOf } from '../../kernel/input/metadata-of.ts';
import type { Book } from '../book/book.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { waivedTimes } from '../schedule/waivers.ts';

/** Records that a subscription is paused. */
export function recordPaused(book: Book, reason: string | null, now: Date): void {
  const { subscription } = book;
  const { address: subscriptionId, customer, walletAddress, waivers } = subscription;
  const { pausedFrom, pausedUntil, pauseKeepsAccess } = waivedTimes(scheduleOf(subscription), waivers);
  book.recordEvent(
    'subscription.paused',
    {
      subscriptionId,
      customer: { ...customer, walletAddress },
      pausedFrom: (pausedFrom ?? now).toISOString(),
      pausedUntil: pausedUntil?.toISOString() ?? null,
      keepsAccess: pauseKeepsAccess,
      reason,
      metadata: metadataOf(subscription),
    },
    now,
  );
}
