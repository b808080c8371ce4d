import type { AppContext } from '../../app.ts';
import { inCountedTransaction } from '../../metrics/count-when-committed.ts';
import { COLLECTING } from '../subscription/status.ts';
import { announcePayments, type ToldPayment } from './announce-payments.ts';
import { metadataOf } from './billable.ts';
import { apart } from './books/apart.ts';
import type { Book, BookedPayment, PayerFailure } from './books/book.ts';
import { loadPayments, openBooks, type PaymentKey } from './books/read-books.ts';
import { writeBooks } from './books/write-books.ts';
import { holdsClaim } from './claim-due.ts';
import { afterFailure } from './retry.ts';

export interface FailedTry extends PaymentKey {
  readonly failure: PayerFailure;
  /** The attempt that failed on chain. Without one the failure was seen before anything was sent. */
  readonly attemptId?: string;
  /** The claim under which that was seen. */
  readonly claimedUntil?: Date | null;
}

/**
 * Books that payers could not pay: for each one more failure, then a retry or the end, and the events that tell of it.
 * An attempt is written where there was none.
 */
export async function failPayments(ctx: AppContext, tries: readonly FailedTry[]): Promise<void> {
  const complain = ({ subscriptionId }: FailedTry, err: unknown) =>
    ctx.log.error({ err, subscription: subscriptionId }, 'a failed payment cannot be booked');
  await announcePayments(ctx, await apart(tries, (some) => failTogether(ctx, some, complain), complain));
}

function failTogether(
  ctx: AppContext,
  tries: readonly FailedTry[],
  complain: (failed: FailedTry, error: unknown) => void,
): Promise<ToldPayment[]> {
  return inCountedTransaction(ctx.db, async (tx) => {
    const books = await openBooks(
      tx,
      tries.map(({ subscriptionId }) => subscriptionId),
    );
    await loadPayments(tx, books, tries);
    const now = ctx.clock.now();
    const told = tries.flatMap((failed) => {
      const book = books.get(failed.subscriptionId);
      const paymentId = book?.apply(() => fail(book, failed, now));
      if (!book || paymentId === undefined) return [];
      const { id: subscriptionId, merchantId, environment } = book.subscription;
      return [{ merchantId, environment, subscriptionId, paymentId }];
    });
    await writeBooks(tx, books.values(), now);
    for (const failed of tries) {
      const spoiltBy = books.get(failed.subscriptionId)?.spoiltBy;
      if (spoiltBy !== undefined) complain(failed, spoiltBy);
    }
    return told;
  });
}

/** The rule for one. Answers with the payment's id where the failure counts. */
function fail(book: Book, { periodStart, attemptId, claimedUntil, failure }: FailedTry, now: Date) {
  const { subscription } = book;
  const payment = book.payment(periodStart);
  if (!payment) return undefined;
  const owed = payment.status === 'DUE' && COLLECTING.includes(subscription.status);
  if (attemptId) {
    if (payment.submitted?.id !== attemptId) return undefined; // booked already
    book.failAttempt(payment, failure, now);
    if (!owed) return undefined;
  } else {
    if (!owed || payment.submitted || !holdsClaim(subscription, claimedUntil, now)) return undefined;
    book.failAttempt(payment, failure, now);
  }
  countFailure(book, payment, failure, now);
  return payment.id;
}

function countFailure(
  book: Book,
  { id: paymentId, periodStart, amount }: BookedPayment,
  failure: PayerFailure,
  now: Date,
): void {
  const { subscription } = book;
  const { status: from, settings, address: subscriptionId } = subscription;
  const failureCount = subscription.failureCount + 1;
  const next = afterFailure(settings, failureCount);
  const nextAttemptAt = next.kind === 'expire' ? null : new Date(now.getTime() + next.delaySeconds * 1000);
  const metadata = metadataOf(subscription);
  const customer = { email: subscription.customer.email, walletAddress: subscription.walletAddress };
  const amounts = {
    amountRequired: String(amount),
    balanceAvailable: String(failure.balanceAvailable),
  };
  book.tell(
    'subscription.payment_failed',
    {
      ...{ subscriptionId, planId: subscription.plan.planId, paymentId, metadata },
      customer: { ...subscription.customer, walletAddress: subscription.walletAddress },
      ...{ ...amounts, failureCount, failureCode: failure.code },
      nextAttemptDate: nextAttemptAt?.toISOString() ?? null,
    },
    now,
  );
  if (!nextAttemptAt) {
    const fields = { failureCount, nextAttemptAt: null, claimedUntil: null };
    book.move({ from, to: 'EXPIRED', reason: 'too_many_failures' }, fields);
    book.setPayment(periodStart, { status: 'FAILED' });
    book.tell('subscription.expired', { subscriptionId, customer, failureCount, metadata }, now);
    return;
  }
  const fields = { failureCount, nextAttemptAt, claimedUntil: null };
  if (from === 'PAST_DUE') book.set(fields);
  else book.move({ from, to: 'PAST_DUE', reason: 'payment_failed' }, fields);
}
