import type { AppContext } from '../../../app.ts';
import { dateOf, unixSeconds } from '../../../chain/chain-time.ts';
import { invalidRequest, notFound } from '../../../errors.ts';
import type { Payment } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { isId } from '../../kernel/input/valid-text.ts';
import type { Book, BookedPayment } from '../book/book.ts';
import { type BillableSubscription, decideNow, scheduleOf } from '../schedule/billable.ts';
import { dueAfter, paymentDueAt, paymentOfPeriod } from '../schedule/period.ts';
import { paymentOf, recordWaived } from '../settle/payment-of-period.ts';
import { changeWaivers, validReason, waiveNext } from './change-waivers.ts';
import { waiveRequest } from './take-waive-key.ts';

export interface WaivePaymentInput {
  /** Our id of a payment that is due. */
  readonly paymentId?: string | null | undefined;
  /** Instead of `paymentId`: the open payment of this subscription or, if none is open, the next one. */
  readonly subscription?: string | null | undefined;
  readonly reason?: string | null | undefined;
  /** A repeated request with the same key waives no other payment. */
  readonly idempotencyKey?: string | null | undefined;
}

/**
 * Waives one payment: it is never collected, and the customer keeps access. If it was overdue, the
 * subscription is ACTIVE again.
 *
 * @throws BillingError not_found, param `paymentId` or `subscription`; invalid_request, param `paymentId` if
 *   the payment is not open or is being collected, `subscription`, `reason` or `idempotencyKey`
 */
export async function waivePayment(
  ctx: AppContext,
  scope: ActingScope,
  { paymentId = null, subscription = null, reason: text, idempotencyKey }: WaivePaymentInput,
): Promise<BillableSubscription> {
  const reason = validReason(text);
  if ((paymentId === null) === (subscription === null)) {
    throw invalidRequest('paymentId', 'Name either a payment or a subscription.');
  }
  const named = paymentId === null ? undefined : await findPayment(ctx, scope, paymentId);
  return changeWaivers(ctx, scope, named?.subscriptionId ?? subscription ?? '', {
    action: 'payment.waived',
    request: waiveRequest(idempotencyKey, 'one', named?.id ?? null, reason),
    rule: (book, now) => {
      const open = named ? namedPayment(book, named) : openPayment(book, now);
      if (open) waiveOpen(book, open, reason, now);
      else waiveNext(book, { kind: 'ONE', count: 1, keepsAccess: true, reason, actor: scope.actor }, now);
      return { ...(open && { payment: open.id }), ...(reason && { reason }) };
    },
  });
}

async function findPayment({ db }: AppContext, scope: ActingScope, paymentId: string): Promise<Payment> {
  const { merchantId, environment } = scope;
  const payment = isId(paymentId)
    ? await db.payment.findFirst({ where: { id: paymentId, merchantId, environment } })
    : null;
  if (!payment) throw notFound('payment', 'paymentId');
  return payment;
}

function notOpen(status: string) {
  return invalidRequest('paymentId', `The payment is ${status}: only an open payment can be waived.`);
}

function namedPayment({ payments }: Book, { id: paymentId, status }: Payment): BookedPayment {
  const payment = payments.find(({ id, ordinal }) => id === paymentId && ordinal === 0);
  if (payment?.status !== 'DUE') throw notOpen(payment?.status ?? status);
  return payment;
}

/**
 * The payment that is due; undefined if the next one is due later. After the end of its period it is the one
 * that was due last, until the next one is due.
 */
function openPayment(book: Book, now: Date): BookedPayment | undefined {
  const { nextPaymentAt } = book.subscription;
  if (nextPaymentAt > now) return undefined;
  const decision = decideNow(book.subscription, now);
  const current = decision.kind === 'missed' ? decision.next : decision.period;
  const isNextDue = current.dueAt <= unixSeconds(now);
  const period = isNextDue
    ? current
    : paymentDueAt(scheduleOf(book.subscription), unixSeconds(nextPaymentAt));
  if (!period) return undefined;
  const payment = paymentOf(book, period, now);
  return payment.status === 'DUE' ? payment : undefined;
}

function waiveOpen(book: Book, payment: BookedPayment, reason: string | null, now: Date): void {
  if (payment.submitted) {
    throw invalidRequest('paymentId', 'An attempt is in progress: wait for its outcome.');
  }
  const waived = book.setPayment(payment, {
    status: 'WAIVED',
    waivedReason: 'MERCHANT',
    undecidedSince: null,
  });
  recordWaived(book, waived, reason, now);
  const { subscription } = book;
  // Earlier payments may not be decided yet.
  const isNext = unixSeconds(payment.dueAt) === unixSeconds(subscription.nextPaymentAt);
  if (!isNext) return;
  const schedule = scheduleOf(subscription);
  const period = paymentOfPeriod(schedule, payment.periodStart);
  const nextPaymentAt = period ? dateOf(dueAfter(schedule, period)) : subscription.nextPaymentAt;
  const fields = { nextPaymentAt, failureCount: 0, claimedUntil: null };
  if (subscription.status !== 'PAST_DUE') book.set(fields);
  else book.transition({ from: 'PAST_DUE', to: 'ACTIVE', reason: 'payment_waived' }, fields);
  book.set({ nextAttemptAt: book.nextTry(payment.periodStart, now) });
}
