import { metadataOf } from '../payment/billable.ts';
import type { Book } from '../payment/books/book.ts';
import { collectAgain } from './collect-again.ts';

/** The customer took the cancellation back on chain. Only on a book that `changeLives` opened. */
export function resumeSubscription(book: Book, at: Date): boolean {
  const nextPaymentAt = collectAgain(book, { from: 'CANCELLED', reason: 'resumed_on_chain' }, at);
  if (!nextPaymentAt) return false;
  const { subscription } = book;
  const { address, walletAddress, customer } = subscription;
  book.tell(
    'subscription.resumed',
    {
      subscriptionId: address,
      customer: { email: customer.email, walletAddress },
      nextPaymentDate: nextPaymentAt.toISOString(),
      metadata: metadataOf(subscription),
    },
    at,
  );
  return true;
}
