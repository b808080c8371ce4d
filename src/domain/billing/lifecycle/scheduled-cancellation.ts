// The events of a cancellation at the end of the paid period, before it takes effect.

import { metadataOf } from '../../kernel/input/metadata-of.ts';
import type { Book } from '../book/book.ts';
import type { CancellationFeedback } from './cancellation-feedback.ts';
import { paidThrough } from './end-subscription.ts';

/** Records that a subscription is cancelled when its paid period ends. */
export function recordScheduled(book: Book, { reason, comment }: CancellationFeedback, at: Date): void {
  book.recordEvent(
    'subscription.cancellation_scheduled',
    {
      ...subscriberOf(book),
      cancelsAt: paidThrough(book.subscription, at).toISOString(),
      cancellationReason: reason ?? null,
      cancellationComment: comment ?? null,
      metadata: metadataOf(book.subscription),
    },
    at,
  );
}

/** Records that such a cancellation was taken back. */
export function recordUndone(book: Book, at: Date): void {
  const { subscription } = book;
  book.recordEvent(
    'subscription.cancellation_undone',
    {
      ...subscriberOf(book),
      nextPaymentDate: subscription.nextPaymentAt.toISOString(),
      metadata: metadataOf(subscription),
    },
    at,
  );
}

function subscriberOf({ subscription: { address, customer, walletAddress } }: Book) {
  return { subscriptionId: address, customer: { ...customer, walletAddress } };
}
