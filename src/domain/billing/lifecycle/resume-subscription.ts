import type { Book } from '../book/book.ts';
import { metadataOf } from '../schedule/billable.ts';
import { collectAgain } from './collect-again.ts';

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
  return true;
}
