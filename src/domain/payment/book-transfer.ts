import { COLLECTING } from '../subscription/status.ts';
import { dateOf, metadataOf, scheduleOf } from './billable.ts';
import type { Book, BookedPayment } from './books/book.ts';
import { type PaymentWindow, paymentOfPeriod } from './period.ts';

/** A transfer event of the program, as it stands on chain. */
export interface SeenTransfer {
  readonly signature: string;
  /** Its place among all inner instructions of the transaction. */
  readonly index: number;
  readonly slot: bigint;
  /** When the chain took it; null where the block's time is not known. */
  readonly at: Date | null;
  readonly subscription: string;
  readonly plan: string;
  /** Null where the program is too old to tell. */
  readonly puller: string | null;
  readonly amount: bigint;
  /** Unix seconds. */
  readonly periodStart: bigint;
}

/** The rule for one transfer that has not been booked. The payment of its period has been read, where there is one. */
export function bookTransfer(
  book: Book,
  transfer: SeenTransfer,
  { now, collectors }: { readonly now: Date; readonly collectors: readonly string[] },
): BookedPayment {
  const { periodStart, amount, signature } = transfer;
  const window = paymentOfPeriod(scheduleOf(book.subscription), periodStart);
  const payment =
    book.payment(periodStart) ??
    book.addPayment({ periodStart, amount, dueAt: dateOf(window?.dueAt ?? periodStart) });
  if (payment.status === 'SUCCEEDED') {
    // The merchant may pull a period's amount in parts: one payment, the sum of them.
    book.setPayment(periodStart, { amount: payment.amount + amount });
    return payment;
  }
  const number = book.subscription.paymentCount + 1;
  book.setPayment(periodStart, {
    ...{ status: 'SUCCEEDED', amount, number, signature },
    collectedByUs: transfer.puller !== null && collectors.includes(transfer.puller),
    paidAt: transfer.at ?? now,
  });
  if (payment.submitted?.signature === signature) book.endAttempt(payment, 'SUCCEEDED', now);
  const nextPaymentAt = advance(book, window);
  const { subscription } = book;
  const { walletAddress } = subscription;
  book.tell(
    'subscription.payment_succeeded',
    {
      subscriptionId: subscription.address,
      planId: subscription.plan.planId,
      customer: { ...subscription.customer, walletAddress },
      paymentId: payment.id,
      signature,
      userWallet: walletAddress,
      amount: String(amount),
      paymentNumber: number,
      nextPaymentDate: nextPaymentAt.toISOString(),
      metadata: metadataOf(subscription),
    },
    now,
  );
  return payment;
}

/** Moves the subscription on to the payment after the one that was paid; answers with its due date. */
function advance(book: Book, window: PaymentWindow | undefined): Date {
  const { subscription } = book;
  const { status, accessUntil } = subscription;
  const following = window && dateOf(window.dueAt + BigInt(subscription.plan.intervalSeconds));
  // A transfer that is seen late must not move the date back; one in the trial does not move it at all.
  const nextPaymentAt =
    following && following > subscription.nextPaymentAt ? following : subscription.nextPaymentAt;
  const paymentCount = subscription.paymentCount + 1;
  if (!COLLECTING.includes(status)) {
    // It was under way when the subscription ended: what was paid for is the customer's.
    const extended = status === 'CANCELLED' && following && (!accessUntil || following > accessUntil);
    book.set({ paymentCount, ...(extended ? { accessUntil: following } : {}) });
    return nextPaymentAt;
  }
  const paidTheDueOne = nextPaymentAt > subscription.nextPaymentAt;
  const fields = {
    ...{ paymentCount, nextPaymentAt },
    ...(paidTheDueOne ? { failureCount: 0, nextAttemptAt: nextPaymentAt, claimedUntil: null } : {}),
  };
  if (status === 'PAST_DUE' && paidTheDueOne) {
    book.move({ from: 'PAST_DUE', to: 'ACTIVE', reason: 'payment_recovered' }, fields);
  } else book.set(fields);
  return nextPaymentAt;
}
