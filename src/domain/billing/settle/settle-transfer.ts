import { capped } from '../../../chain/accounts/fields.ts';
import { dateOf, unixSeconds } from '../../../chain/chain-time.ts';
import { metadataOf } from '../../kernel/input/metadata-of.ts';
import type { AttemptChange, Book, BookedPayment } from '../book/book.ts';
import { COLLECTING } from '../book/status.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { dueAfter, type PaymentPeriod, paymentOfPeriod, periodsBefore } from '../schedule/period.ts';
import type { Ledger } from './ledger-reach.ts';
import { missOrLeave, paymentOf } from './payment-of-period.ts';

/** A transfer event of the program on chain. */
export interface SeenTransfer {
  readonly signature: string;
  /** Its index among all inner instructions of the transaction. */
  readonly index: number;
  readonly slot: bigint;
  /** The block's time; null if it is not known. */
  readonly at: Date | null;
  readonly subscription: string;
  readonly plan: string;
  /** Null if the program's version does not record it. */
  readonly puller: string | null;
  readonly amount: bigint;
  /** Unix seconds. */
  readonly periodStart: bigint;
}

/** The payment that a transfer settles, and the payments before it that are then missed. */
export function periodsOfTransfer(
  { subscription }: Book,
  { periodStart }: Pick<SeenTransfer, 'periodStart'>,
): { readonly period: PaymentPeriod | undefined; readonly skipped: readonly PaymentPeriod[] } {
  const schedule = scheduleOf(subscription);
  const period = paymentOfPeriod(schedule, periodStart);
  if (!period || !COLLECTING.includes(subscription.status)) return { period, skipped: [] };
  return { period, skipped: periodsBefore(schedule, unixSeconds(subscription.nextPaymentAt), period) };
}

export interface SettlementTerms extends Pick<AttemptChange, 'feeLamports'> {
  readonly now: Date;
  readonly collectors: readonly string[];
  /** Decides whether skipped periods are missed now. */
  readonly ledger: Ledger;
}

/**
 * Settles the payment of one new transfer. The payment of its period and those of the skipped
 * periods have been read.
 *
 * Each transfer has its own event: the merchant may pull a period's amount in parts, or another
 * amount. What is owed stays, and what was paid is their sum.
 */
export function settleTransfer(
  book: Book,
  transfer: SeenTransfer,
  { now, collectors, ledger, feeLamports }: SettlementTerms,
): BookedPayment {
  const { amount, signature } = transfer;
  const { period, skipped } = periodsOfTransfer(book, transfer);
  const payment = paymentOfTransfer(book, period, transfer, now);
  // Ours may land after one of the plan's owner.
  const isOurs = payment.submitted?.signature === signature;
  if (isOurs) book.endAttempt(payment, 'SUCCEEDED', now, feeLamports);
  if (payment.status === 'SUCCEEDED') {
    // The chain bounds the sum only for one account: a period can have those of several at the
    // address.
    const paid = book.setPayment(payment, { paidAmount: capped(payment.paidAmount + amount) });
    recordSuccess(book, transfer, { payment: paid, next: nextDueDate(book, period) }, now);
    return paid;
  }
  const number = book.subscription.paymentCount + 1;
  const paid = book.setPayment(payment, {
    status: 'SUCCEEDED',
    paidAmount: amount,
    number,
    signature,
    collectedByUs: transfer.puller !== null && collectors.includes(transfer.puller),
    paidAt: transfer.at ?? now,
  });
  for (const earlier of skipped) missOrLeave(book, earlier, { now, ledger });
  // A payment beside the scheduled one does not pay for the period.
  const next = advance(book, payment.kind === 'PERIOD' ? period : undefined);
  const { status, nextAttemptAt } = book.subscription;
  const isFree = nextAttemptAt === null ? isOurs : next > now && nextAttemptAt >= next;
  if (COLLECTING.includes(status) && isFree)
    book.set({ nextAttemptAt: book.nextTry(payment.periodStart, now) });
  recordSuccess(book, transfer, { payment: paid, next }, now);
  return paid;
}

/**
 * The payment that a transfer belongs to: the one for which its transaction was signed, even if the
 * transaction counted as lost, otherwise the scheduled one of its period. For a transfer of the plan's
 * owner in the trial, or in a period that was waived, nothing is owed, so it has a payment of its own.
 */
function paymentOfTransfer(
  book: Book,
  period: PaymentPeriod | undefined,
  transfer: SeenTransfer,
  now: Date,
): BookedPayment {
  const { periodStart, signature } = transfer;
  const isOpen = ({ status }: BookedPayment) => status !== 'WAIVED';
  const signed = book.paymentsOf(periodStart).find(({ signatures }) => signatures.includes(signature));
  const scheduled = period && paymentOf(book, period, now);
  if (signed) return signed;
  if (scheduled && isOpen(scheduled)) return scheduled;
  return book.paymentsOf(periodStart).find(isOpen) ?? addExtra(book, transfer);
}

function addExtra(book: Book, { periodStart, amount }: SeenTransfer): BookedPayment {
  const lines = [{ kind: 'EXTRA', text: book.subscription.plan.name, amount }] as const;
  return book.addPayment({ periodStart, dueAt: dateOf(periodStart), kind: 'EXTRA', lines });
}

interface SettledPayment {
  readonly payment: BookedPayment;
  readonly next: Date;
}

function recordSuccess(
  book: Book,
  { signature, index, slot, amount, periodStart }: SeenTransfer,
  { payment, next }: SettledPayment,
  now: Date,
) {
  const { subscription } = book;
  const { walletAddress } = subscription;
  book.recordEvent(
    'subscription.payment_succeeded',
    {
      subscriptionId: subscription.address,
      planId: subscription.plan.planId,
      customer: { ...subscription.customer, walletAddress },
      paymentId: payment.id,
      signature,
      userWallet: walletAddress,
      amount: String(amount),
      kind: payment.kind,
      lines: payment.lines.map((line) => ({ ...line, amount: String(line.amount) })),
      paidAmount: String(payment.paidAmount),
      paymentNumber: payment.number ?? 0,
      nextPaymentDate: next.toISOString(),
      metadata: metadataOf(subscription),
    },
    now,
    // With the slot: a transaction that was rolled back may land again.
    book.idInPeriod(periodStart, 'payment_succeeded', signature, index, slot),
  );
}

/** The end of the time that a period's payment pays for; undefined in the trial. */
function paidUntil({ subscription }: Book, period: PaymentPeriod | undefined): Date | undefined {
  return period && dateOf(dueAfter(scheduleOf(subscription), period));
}

/**
 * The next due date. A transfer that is seen late must not move it back, and a transfer in the
 * trial does not change it.
 */
function nextDueDate(book: Book, period: PaymentPeriod | undefined): Date {
  const { nextPaymentAt } = book.subscription;
  const after = paidUntil(book, period);
  return after && after > nextPaymentAt ? after : nextPaymentAt;
}

/** Advances the subscription past the settled payment. Returns the next due date. */
function advance(book: Book, period: PaymentPeriod | undefined): Date {
  const { subscription } = book;
  const { status, accessUntil } = subscription;
  const nextPaymentAt = nextDueDate(book, period);
  const paymentCount = subscription.paymentCount + 1;
  if (!COLLECTING.includes(status)) {
    // The payment was in flight when the subscription ended: the customer has paid for its period.
    const until = paidUntil(book, period);
    const extendsAccess = status === 'CANCELLED' && until && (!accessUntil || until > accessUntil);
    book.set({ paymentCount, ...(extendsAccess ? { accessUntil: until } : {}) });
    return nextPaymentAt;
  }
  const paidDuePayment = nextPaymentAt > subscription.nextPaymentAt;
  const fields = {
    paymentCount,
    nextPaymentAt,
    ...(paidDuePayment
      ? {
          nextAmount: subscription.plan.amount,
          failureCount: 0,
          nextAttemptAt: nextPaymentAt,
          claimedUntil: null,
        }
      : {}),
  };
  if (status === 'PAST_DUE' && paidDuePayment) {
    book.transition({ from: 'PAST_DUE', to: 'ACTIVE', reason: 'payment_recovered' }, fields);
  } else book.set(fields);
  return nextPaymentAt;
}
