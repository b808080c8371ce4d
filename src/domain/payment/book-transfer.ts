import { COLLECTING } from '../subscription/status.ts';
import { dateOf, metadataOf, scheduleOf, unixSeconds } from './billable.ts';
import type { Book, BookedPayment } from './books/book.ts';
import { miss } from './miss-payment.ts';
import { type PaymentWindow, paymentOfPeriod, windowsBefore } from './period.ts';

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

/** The payment that a transfer is booked on, and those before it that will never be collected once it is. */
export function windowsOfTransfer(
  { subscription }: Book,
  { periodStart }: Pick<SeenTransfer, 'periodStart'>,
): { readonly window: PaymentWindow | undefined; readonly skipped: readonly PaymentWindow[] } {
  const schedule = scheduleOf(subscription);
  const window = paymentOfPeriod(schedule, periodStart);
  if (!window || !COLLECTING.includes(subscription.status)) return { window, skipped: [] };
  return { window, skipped: windowsBefore(schedule, unixSeconds(subscription.nextPaymentAt), window) };
}

/**
 * The rule for one transfer that has not been booked. The payment of its period has been read, where there is one, and
 * those that it skips.
 *
 * Each transfer is told: the merchant may pull a period's amount in parts, which are one payment of their sum.
 */
export function bookTransfer(
  book: Book,
  transfer: SeenTransfer,
  { now, collectors }: { readonly now: Date; readonly collectors: readonly string[] },
): BookedPayment {
  const { periodStart, amount, signature } = transfer;
  const { window, skipped } = windowsOfTransfer(book, transfer);
  const payment =
    book.payment(periodStart) ??
    book.addPayment({ periodStart, amount, dueAt: dateOf(window?.dueAt ?? periodStart) });
  if (payment.status === 'SUCCEEDED') {
    const { number } = payment;
    book.setPayment(periodStart, { amount: payment.amount + amount });
    tell(book, transfer, { paymentId: payment.id, number: number ?? 0, next: following(book, window) }, now);
    return payment;
  }
  const number = book.subscription.paymentCount + 1;
  book.setPayment(periodStart, {
    ...{ status: 'SUCCEEDED', amount, number, signature },
    collectedByUs: transfer.puller !== null && collectors.includes(transfer.puller),
    paidAt: transfer.at ?? now,
  });
  if (payment.submitted?.signature === signature) book.endAttempt(payment, 'SUCCEEDED', now);
  for (const earlier of skipped) miss(book, earlier);
  const next = advance(book, window);
  tell(book, transfer, { paymentId: payment.id, number, next }, now);
  return payment;
}

interface Told {
  readonly paymentId: string;
  readonly number: number;
  readonly next: Date;
}

function tell(book: Book, { signature, amount }: SeenTransfer, { paymentId, number, next }: Told, now: Date) {
  const { subscription } = book;
  const { walletAddress } = subscription;
  book.tell(
    'subscription.payment_succeeded',
    {
      subscriptionId: subscription.address,
      planId: subscription.plan.planId,
      customer: { ...subscription.customer, walletAddress },
      ...{ paymentId, signature },
      userWallet: walletAddress,
      amount: String(amount),
      paymentNumber: number,
      nextPaymentDate: next.toISOString(),
      metadata: metadataOf(subscription),
    },
    now,
  );
}

/** Until when the payment of a window pays; one in the trial pays for nothing. */
function paidUntil({ subscription }: Book, window: PaymentWindow | undefined): Date | undefined {
  return window && dateOf(window.dueAt + BigInt(subscription.plan.intervalSeconds));
}

/** A transfer that is seen late must not move the date back; one in the trial does not move it at all. */
function following(book: Book, window: PaymentWindow | undefined): Date {
  const { nextPaymentAt } = book.subscription;
  const after = paidUntil(book, window);
  return after && after > nextPaymentAt ? after : nextPaymentAt;
}

/** Moves the subscription on to the payment after the one that was paid; answers with its due date. */
function advance(book: Book, window: PaymentWindow | undefined): Date {
  const { subscription } = book;
  const { status, accessUntil } = subscription;
  const nextPaymentAt = following(book, window);
  const paymentCount = subscription.paymentCount + 1;
  if (!COLLECTING.includes(status)) {
    // It was under way when the subscription ended: what was paid for is the customer's.
    const until = paidUntil(book, window);
    const extended = status === 'CANCELLED' && until && (!accessUntil || until > accessUntil);
    book.set({ paymentCount, ...(extended ? { accessUntil: until } : {}) });
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
