import { dateOf } from '../../../chain/chain-time.ts';
import type { WaivedReason, WaiverKind } from '../../../generated/prisma/client.ts';
import { metadataOf } from '../../kernel/input/metadata-of.ts';
import { type Book, type BookedPayment, type PaymentPosition, scheduledAt } from '../book/book.ts';
import { linesOfPeriod } from '../book/lines-of-period.ts';
import type { PaymentPeriod } from '../schedule/period.ts';
import { waiverOf } from '../schedule/waivers.ts';
import type { Ledger } from './ledger-reach.ts';

/** The payment of a period. If there is none, it is added: due, or waived. */
export function paymentOf(
  book: Book,
  { index, periodStart, dueAt }: PaymentPeriod,
  now: Date,
): BookedPayment {
  const existing = book.payment(scheduledAt(periodStart));
  if (existing) return existing;
  const waiver = waiverOf(book.subscription.waivers, index);
  const payment = book.addPayment({
    periodStart,
    dueAt: dateOf(dueAt),
    kind: 'PERIOD',
    lines: linesOfPeriod(book, periodStart),
    waivedReason: waiver && WAIVED_REASONS[waiver.kind],
  });
  if (payment.status === 'WAIVED') recordWaived(book, payment, waiver?.reason ?? null, now);
  return payment;
}

const WAIVED_REASONS = { PAUSE: 'PAUSED', FREE: 'FREE', ONE: 'MERCHANT' } as const satisfies {
  readonly [K in WaiverKind]: WaivedReason;
};

/** Records that a payment will not be collected, because it is waived. */
export function recordWaived(book: Book, payment: BookedPayment, reason: string | null, now: Date): void {
  const { subscription } = book;
  const { address: subscriptionId, plan, customer, walletAddress } = subscription;
  book.recordEvent(
    'subscription.payment_waived',
    {
      subscriptionId,
      planId: plan.planId,
      paymentId: payment.id,
      customer: { ...customer, walletAddress },
      amount: String(payment.amount),
      dueDate: payment.dueAt.toISOString(),
      waivedReason: payment.waivedReason ?? 'NOTHING_OWED',
      reason,
      metadata: metadataOf(subscription),
    },
    now,
  );
}

/**
 * Ends the payment of a period that is over. A waived one stays waived. Another one is missed if the
 * ledger is complete. If not, it stays due, because a transfer may still be found, and
 * `decide-undecided-payments.ts` decides it later.
 */
export function missOrLeave(
  book: Book,
  period: PaymentPeriod,
  { now, ledger }: { readonly now: Date; readonly ledger: Ledger },
): void {
  const payment = paymentOf(book, period, now);
  if (ledger.isComplete(book.subscription.address, period)) missPayment(book, payment, now);
  else if (payment.status === 'DUE') book.setPayment(payment, { undecidedSince: dateOf(period.periodEnd) });
}

/**
 * Marks a payment as missed, because its period is over. Records an event unless the
 * payer caused it: a failed payment has its own event.
 */
export function missPayment(book: Book, position: PaymentPosition, now: Date): void {
  const payment = book.payment(position);
  if (!payment) return;
  const { id: paymentId, status, dueAt, amount, hasFailed } = payment;
  if (status !== 'DUE') return;
  book.setPayment(payment, { status: 'MISSED' });
  const { subscription } = book;
  const { address: subscriptionId, plan, walletAddress, failureCount, nextPaymentAt } = subscription;
  // `failureCount` may be of an earlier payment, and a reversed payment may have failed before.
  if (hasFailed && failureCount > 0 && dueAt.getTime() === nextPaymentAt.getTime()) return;
  book.recordEvent(
    'subscription.payment_missed',
    {
      subscriptionId,
      planId: plan.planId,
      paymentId,
      customer: { ...subscription.customer, walletAddress },
      amount: String(amount),
      dueDate: dueAt.toISOString(),
      planProblem: plan.problem,
      metadata: metadataOf(subscription),
    },
    now,
  );
}
