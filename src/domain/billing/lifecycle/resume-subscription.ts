import { metadataOf } from '../../kernel/input/metadata-of.ts';
import type { Book } from '../book/book.ts';
import { collectAgain } from './collect-again.ts';
import { recordScheduled } from './scheduled-cancellation.ts';

/**
 * Resumes a subscription after the customer took back the cancellation on chain. Only for a book
 * from `changeBooks`.
 */
export function resumeSubscription(book: Book, at: Date): boolean {
  const nextPaymentAt = collectAgain(book, { from: 'CANCELLED', reason: 'resumed_on_chain' }, at);
  if (!nextPaymentAt) return false;
  const { subscription } = book;
  const { address, walletAddress, customer } = subscription;
  book.recordEvent(
    'subscription.resumed',
    {
      subscriptionId: address,
      customer: { ...customer, walletAddress },
      nextPaymentDate: nextPaymentAt.toISOString(),
      metadata: metadataOf(subscription),
    },
    at,
  );
  // A cancellation at the end of the period that was not taken back applies again.
  if (subscription.cancelAtPeriodEnd) recordScheduled(book, {}, at);
  return true;
}
