import type { AppContext } from '../../../app.ts';
import { holdsClaim, readClaimTime } from '../../../db/claim.ts';
import { metadataOf } from '../../kernel/input/metadata-of.ts';
import type { Book, BookedPayment, PayerFailure } from '../book/book.ts';
import type { PaymentKey } from '../book/read-books.ts';
import { splitOnFailure } from '../book/split-on-failure.ts';
import { COLLECTING, isUnpaid } from '../book/status.ts';
import { withBooks } from '../book/with-books.ts';
import { afterFailure, type FailureStep } from '../schedule/after-failure.ts';
import { scheduleOf } from '../schedule/billable.ts';
import {
  endsOfPeriod,
  nextPayment,
  type PeriodEnds,
  type RetryTime,
  retryTime,
} from '../schedule/retry-time.ts';
import { type ChangedPayment, publishPayments } from './publish-payments.ts';

export interface FailedAttempt extends PaymentKey {
  readonly failure: PayerFailure;
  /**
   * The attempt that failed on chain; undefined if the failure was found before anything was sent.
   */
  readonly attemptId?: string;
  /** The claim under which the failure was found. */
  readonly claimedUntil?: Date | null;
}

/**
 * Records that payers could not pay: counts the failure, schedules a retry, waits for a top-up or expires
 * the subscription, and records the events. Adds a failed attempt if nothing was sent.
 */
export async function failPayments(ctx: AppContext, attempts: readonly FailedAttempt[]): Promise<void> {
  const logError = ({ subscriptionId }: FailedAttempt, err: unknown) =>
    ctx.log.error({ err, subscription: subscriptionId }, 'failed payment not recorded');
  await publishPayments(
    ctx,
    await splitOnFailure(attempts, (batch) => failTogether(ctx, batch, logError), logError),
  );
}

async function failTogether(
  ctx: AppContext,
  attempts: readonly FailedAttempt[],
  logError: (failed: FailedAttempt, error: unknown) => void,
): Promise<ChangedPayment[]> {
  const { changed, errorOf } = await withBooks(ctx, attempts, async ({ tx, books, now }) => {
    const time = await readClaimTime(tx, ctx.clock);
    const changed = attempts.flatMap((failed) => {
      const book = books.get(failed.subscriptionId);
      const paymentId = book?.apply(() => fail(book, failed, { now, time }));
      if (!book || paymentId === undefined) return [];
      const { id: subscriptionId, merchantId, environment } = book.subscription;
      return [{ merchantId, environment, subscriptionId, paymentId }];
    });
    return { changed, errorOf: (id: string) => books.get(id)?.ruleError };
  });
  for (const failed of attempts) {
    const error = errorOf(failed.subscriptionId);
    if (error !== undefined) logError(failed, error);
  }
  return changed;
}

/** Records one failed attempt. Returns the payment's id if the failure counts. */
function fail(
  book: Book,
  { periodStart, ordinal, attemptId, claimedUntil, failure }: FailedAttempt,
  { now, time }: { readonly now: Date; readonly time: Date },
) {
  const { subscription } = book;
  const payment = book.payment({ periodStart, ordinal });
  if (!payment) return undefined;
  const isDue = payment.status === 'DUE' && COLLECTING.includes(subscription.status);
  if (attemptId) {
    if (payment.submitted?.id !== attemptId) return undefined; // settled before
    book.failAttempt(payment, failure, now);
    if (!isDue) return undefined;
  } else {
    if (!isDue || payment.submitted || !holdsClaim(subscription, claimedUntil, time)) return undefined;
    book.failAttempt(payment, failure, now);
  }
  countFailure(book, payment, failure, now);
  return payment.id;
}

const GIVEN_UP = { kind: 'expire' } as const;

function countFailure(book: Book, payment: BookedPayment, failure: PayerFailure, now: Date): void {
  const { id: paymentId, periodStart, ordinal, amount } = payment;
  const { subscription } = book;
  const { status: from, settings, address: subscriptionId } = subscription;
  // A payment beside the scheduled one is tried once, and does not change the subscription's status.
  const isExtra = ordinal > 0;
  const failureCount = subscription.failureCount + (isExtra ? 0 : 1);
  const counted = afterFailure(settings, failureCount);
  // A subscription that ends with its period waits for nothing.
  const endsInstead = counted.kind === 'wait' && subscription.cancelAtPeriodEnd;
  const step = isExtra || endsInstead ? GIVEN_UP : counted;
  const ends = endsOfPeriod(scheduleOf(subscription), periodStart);
  const next = nextAfter(step, now, ends);
  const nextAttemptAt = next?.at ?? null;
  const metadata = metadataOf(subscription);
  const customer = { ...subscription.customer, walletAddress: subscription.walletAddress };
  const amounts = {
    amountRequired: String(amount),
    balanceAvailable: String(failure.balanceAvailable),
  };
  book.recordEvent(
    'subscription.payment_failed',
    {
      subscriptionId,
      planId: subscription.plan.planId,
      paymentId,
      customer,
      metadata,
      ...amounts,
      failureCount,
      failureCode: failure.code,
      nextAttemptDate: nextAttemptAt?.toISOString() ?? null,
      noRetryReason: noRetryReason(step, next),
    },
    now,
  );
  if (isExtra) {
    book.setPayment(payment, { status: 'FAILED' });
    book.set({
      nextAttemptAt: book.nextTry(periodStart, now),
      claimedUntil: null,
    });
    return;
  }
  // Access that has ended, or that will end, does not begin again with the next payment.
  const endOfAccess = isUnpaid(subscription) ? subscription.accessUntil : null;
  const accessUntil = endOfAccess ?? new Date(payment.dueAt.getTime() + settings.graceSeconds * 1000);
  if (!nextAttemptAt) {
    const fields = {
      failureCount,
      nextAttemptAt: null,
      claimedUntil: null,
      accessUntil: accessUntil > now ? accessUntil : null,
    };
    book.transition({ from, to: 'EXPIRED', reason: 'too_many_failures' }, fields);
    book.setPayment(payment, { status: 'FAILED' });
    book.recordEvent('subscription.expired', { subscriptionId, customer, failureCount, metadata }, now);
    return;
  }
  const fields = { failureCount, nextAttemptAt, claimedUntil: null };
  const isNewlyUnpaid = step.kind === 'wait' && endOfAccess === null;
  const failedFields = {
    ...fields,
    ...(isNewlyUnpaid && { accessUntil: accessUntil > now ? accessUntil : now }),
  };
  if (from === 'PAST_DUE') book.set(failedFields);
  else book.transition({ from, to: 'PAST_DUE', reason: 'payment_failed' }, failedFields);
}

/** The next attempt; null if there is none. */
function nextAfter(step: FailureStep, now: Date, ends: PeriodEnds): RetryTime | null {
  switch (step.kind) {
    case 'expire':
      return null;
    case 'wait':
      return nextPayment(now, ends);
    case 'retry':
      return retryTime(now, step.delaySeconds * 1000, ends);
  }
}

function noRetryReason({ kind }: FailureStep, next: RetryTime | null) {
  if (next === null) return 'TOO_MANY_FAILURES';
  if (next.kind === 'retry') return null;
  return kind === 'wait' ? 'UNTIL_PAID' : 'PERIOD_ENDS';
}
