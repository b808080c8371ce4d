import type { Address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import type { Pull } from '../../../chain/accounts/pulls.ts';
import { dateOf, unixSeconds } from '../../../chain/chain-time.ts';
import type { DbTransaction } from '../../../db/db.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { afterCommit, inTransaction } from '../../../jobs/in-transaction.ts';
import { notifyRelay } from '../../messages/event/notify-relay.ts';
import { type Book, type BookedPayment, type BookedSubscription, paidAmountOf } from '../book/book.ts';
import { endPassedWaivers } from '../book/end-waivers.ts';
import { loadDuePayments, loadPayments, readBooks } from '../book/read-books.ts';
import { splitOnFailure } from '../book/split-on-failure.ts';
import { COLLECTING } from '../book/status.ts';
import { writeBooks } from '../book/write-books.ts';
import { endPeriod } from '../lifecycle/cancel-subscription.ts';
import { LINE_SOURCES } from '../price/line-sources.ts';
import { decideNow, scheduleOf } from '../schedule/billable.ts';
import { runningPeriod } from '../schedule/collectable-period.ts';
import { dueAfter, LANDING_SECONDS, type PaymentPeriod } from '../schedule/period.ts';
import { type Ledger, readLedger } from '../settle/ledger-reach.ts';
import { missOrLeave, paymentOf } from '../settle/payment-of-period.ts';
import type { Claim } from './claim-due.ts';

/** A payment to collect now. */
export interface DuePayment {
  readonly subscription: BookedSubscription;
  readonly payment: BookedPayment;
  readonly period: PaymentPeriod;
  /** What the payments of its chain's period have received by our books. */
  readonly booked: bigint;
}

/** A payment with the terms of its pull. */
export interface PayablePayment extends DuePayment {
  /** It pays into one of the receiving accounts. */
  readonly pull: Pull;
  /** The accounts of the merchant that accept it; none if the merchant's account must be created. */
  readonly receivingAccounts: readonly Address[];
}

/**
 * Decides the next payment of each claimed subscription. Returns the payments to collect, longest
 * overdue first; for the others (too early, missed, ended, already paid) it only changes the books.
 * A subscription that cannot be decided is logged and stays claimed until its claim expires.
 */
export async function preparePayments(
  ctx: AppContext,
  { environment, subscriptionIds }: Pick<Claim, 'environment' | 'subscriptionIds'>,
): Promise<DuePayment[]> {
  const logError = (subscription: string, err: unknown) =>
    ctx.log.error({ err, subscription }, 'due payment of a subscription cannot be decided');
  const decided = await splitOnFailure(
    subscriptionIds,
    (ids) => prepareTogether(ctx, environment, ids, logError),
    logError,
  );
  const due: DuePayment[] = [];
  for (const prepared of decided) {
    if (prepared.kind === 'collect') due.push(prepared);
    else if (prepared.kind === 'end') {
      const { subscriptionId } = prepared;
      await endPeriod(ctx, subscriptionId).catch((err: unknown) => logError(subscriptionId, err));
    }
  }
  // Books are read in the order of their ids. A wallet makes its longest overdue payment first.
  return due.sort((a, b) => Number(a.period.dueAt - b.period.dueAt));
}

type Prepared =
  | ({ readonly kind: 'collect' } & DuePayment)
  /** The merchant cancelled at the end of the period, and it is over. */
  | { readonly kind: 'end'; readonly subscriptionId: string }
  | { readonly kind: 'done' };

function prepareTogether(
  ctx: AppContext,
  environment: Environment,
  ids: readonly string[],
  logError: (subscription: string, error: unknown) => void,
): Promise<Prepared[]> {
  return inTransaction(ctx, async (tx) => {
    const books = await readBooks(tx, ids);
    const now = ctx.clock.now();
    await loadPayments(
      tx,
      books,
      [...books.values()].flatMap(
        (book) =>
          book.apply(({ subscription }) =>
            periodsToRead(subscription, now).map(({ periodStart }) => ({
              subscriptionId: subscription.id,
              periodStart,
            })),
          ) ?? [],
      ),
    );
    await loadDuePayments(
      tx,
      books,
      [...books.values()].flatMap(({ subscription }) =>
        mayHaveExtras(subscription) ? [subscription.id] : [],
      ),
    );
    const missed = [...books.values()].filter(
      (book) => book.apply(({ subscription }) => decideNow(subscription, now))?.kind === 'missed',
    );
    const ledger = await readLedger(
      tx,
      environment,
      missed.map(({ subscription }) => subscription.address),
    );
    const prepared = [...books.values()].flatMap(
      (book) => book.apply(() => prepare(book, { now, ledger })) ?? [],
    );
    await writeBooks(tx, books.values(), now);
    logMissed(ctx, tx, books.values());
    for (const { subscription, ruleError } of books.values()) {
      if (ruleError !== undefined) logError(subscription.id, ruleError);
    }
    return prepared;
  });
}

/** Logs missed payments, so that the operator can find the cause. */
function logMissed({ log }: AppContext, tx: DbTransaction, books: Iterable<Book>): void {
  const missed = [...books].flatMap(({ changes }) =>
    changes.events.filter(({ type }) => type === 'subscription.payment_missed'),
  );
  if (missed.length === 0) return;
  const { environment } = missed[0] ?? {};
  log.error(
    { environment, payments: missed.length },
    'payments missed: their periods ended before they were collected',
  );
  afterCommit(tx, notifyRelay);
}

/** The periods of missed payments, and of the current one. */
function periodsToRead(subscription: BookedSubscription, now: Date): PaymentPeriod[] {
  const decision = decideNow(subscription, now);
  const scheduled = decision.kind === 'missed' ? [...decision.missed, decision.next] : [decision.period];
  return mayHaveExtras(subscription) ? [...scheduled, runningPeriod(subscription, now)] : scheduled;
}

/** Whether a subscription may have payments beside the scheduled ones. Only then they are read. */
const mayHaveExtras = ({ lineSources }: BookedSubscription) => (lineSources & LINE_SOURCES.EXTRA) !== 0;

interface DecisionTerms {
  readonly now: Date;
  /** Decides whether periods that are over are missed now. */
  readonly ledger: Ledger;
}

/** Decides one subscription. Its payments of `periodsToRead` have been read. */
function prepare(book: Book, { now, ledger }: DecisionTerms): Prepared {
  const { id, status, nextAttemptAt, cancelAtPeriodEnd } = book.subscription;
  const done: Prepared = { kind: 'done' };
  if (!COLLECTING.includes(status) || !nextAttemptAt) return done;
  let decision = decideNow(book.subscription, now);
  if (cancelAtPeriodEnd && decision.kind !== 'wait') return { kind: 'end', subscriptionId: id };
  leaveExtrasOfEndedPeriods(book, now);
  if (decision.kind === 'missed') {
    for (const period of decision.missed) missOrLeave(book, period, { now, ledger });
    const dueAt = dateOf(decision.next.dueAt);
    book.set({ nextPaymentAt: dueAt, nextAttemptAt: dueAt });
    decision = decideNow(book.subscription, now);
  }
  endPassedWaivers(book, now);
  switch (decision.kind) {
    case 'wait': {
      const extra = collectExtra(book, now);
      if (extra) return extra;
      book.set({ nextAttemptAt: book.firstAttemptAt, claimedUntil: null });
      return done;
    }
    case 'too_late_to_send':
      book.set({ nextAttemptAt: dateOf(decision.period.periodEnd), claimedUntil: null });
      return done;
    case 'missed':
      throw new Error('the current period is already over');
    case 'collect':
      return collect(book, decision.period, now);
  }
}

/** Collects the scheduled payment of a period or, if that is over, the next open one beside it. */
function collect(book: Book, period: PaymentPeriod, now: Date): Prepared {
  const scheduled = paymentOf(book, period, now);
  const open = collectOpen(book, period);
  if (open?.kind === 'done' || (open && scheduled.status === 'DUE')) return open;
  const next = dateOf(dueAfter(scheduleOf(book.subscription), period));
  const { status } = book.subscription;
  if (scheduled.status === 'WAIVED' && status === 'PAST_DUE') {
    book.transition({ from: status, to: 'ACTIVE', reason: 'payment_waived' }, { failureCount: 0 });
  }
  book.set({ nextPaymentAt: next });
  if (open) return open;
  book.set({ nextAttemptAt: book.firstAttemptAt, claimedUntil: null });
  return { kind: 'done' };
}

/** Collects an open payment of the running period before the next scheduled one is due. */
function collectExtra(book: Book, now: Date): Prepared | undefined {
  if (!mayHaveExtras(book.subscription)) return undefined;
  const period = runningPeriod(book.subscription, now);
  const seconds = unixSeconds(now);
  const isSendable = seconds >= period.periodStart && seconds + LANDING_SECONDS < period.periodEnd;
  return isSendable ? collectOpen(book, period) : undefined;
}

/**
 * The first open payment of a period. Payments of a subscription are collected one after the other:
 * while one is in flight, the follower sets the next attempt.
 */
function collectOpen(book: Book, period: PaymentPeriod): Prepared | undefined {
  const { subscription } = book;
  const payments = book.paymentsOf(period.periodStart);
  if (payments.some(({ submitted }) => submitted)) {
    book.set({ nextAttemptAt: null, claimedUntil: null });
    return { kind: 'done' };
  }
  const payment = payments.find(({ status }) => status === 'DUE');
  return payment && { kind: 'collect', subscription, payment, period, booked: paidAmountOf(payments) };
}

/** Extra payments of periods that are over are decided by `settle/decide-undecided-payments.ts`. */
function leaveExtrasOfEndedPeriods(book: Book, now: Date): void {
  const { periodSeconds } = scheduleOf(book.subscription);
  for (const payment of book.payments) {
    const { ordinal, status, undecidedSince, periodStart } = payment;
    const periodEnd = periodStart + periodSeconds;
    if (ordinal === 0 || status !== 'DUE' || undecidedSince || unixSeconds(now) < periodEnd) continue;
    book.setPayment(payment, { undecidedSince: dateOf(periodEnd) });
  }
}
