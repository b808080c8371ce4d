import { dateOf, unixSeconds } from '../../../chain/chain-time.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { type Book, paidAmountOf, scheduledAt } from '../book/book.ts';
import { linesOfPeriod } from '../book/lines-of-period.ts';
import { loadPayments, readUnlocked } from '../book/read-books.ts';
import { COLLECTING } from '../book/status.ts';
import { type Line, totalOf } from '../price/line.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { decide, LANDING_SECONDS, type PaymentPeriod, paymentPeriod } from '../schedule/period.ts';
import { nextPaymentOf } from './next-payment.ts';

/** The next payment as it will be collected if nothing changes. */
export interface UpcomingPayment {
  readonly dueAt: Date;
  readonly lines: readonly Line[];
  /** The sum of the lines, in base units. */
  readonly total: bigint;
  /** The most that can be collected in the period, in base units. */
  readonly limit: bigint;
  /** Whether the lines are those that will be collected. Nothing is added to them later in this release. */
  readonly isExact: boolean;
}

/** What is ahead of a subscription. */
export interface Ahead {
  /** Null if nothing will be collected. */
  readonly upcomingPayment: UpcomingPayment | null;
  /** What is left of the limit in the chain's running period by the books; null if nothing is collected. */
  readonly limitLeft: bigint | null;
}

/** Reads what is ahead of subscriptions, in two statements. */
export async function readAhead(
  db: Pick<DbTransaction, '$queryRaw'>,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Ahead>> {
  const books = await readUnlocked(db, ids);
  const ahead = [...books.values()].map((book) => ({ book, periods: periodsAhead(book, now) }));
  const keys = ahead.flatMap(({ book, periods }) =>
    [runningStart(book, now), ...periods.map(({ periodStart }) => periodStart)].map((periodStart) => ({
      subscriptionId: book.subscription.id,
      periodStart,
    })),
  );
  const distinct = new Map(keys.map((key) => [`${key.subscriptionId} ${key.periodStart}`, key]));
  await loadPayments(db, books, [...distinct.values()]);
  return new Map(
    ahead.map(({ book, periods }) => [
      book.subscription.id,
      { upcomingPayment: upcomingOf(book, periods), limitLeft: limitLeftOf(book, now) },
    ]),
  );
}

/** The periods from which the next payment is collected: the first one that has not been paid. */
function periodsAhead({ subscription }: Book, now: Date): readonly PaymentPeriod[] {
  if (nextPaymentOf(subscription).nextPaymentAt === null) return [];
  const schedule = scheduleOf(subscription);
  const decision = decide(
    schedule,
    unixSeconds(subscription.nextPaymentAt),
    unixSeconds(now),
    LANDING_SECONDS,
  );
  const first = decision.kind === 'missed' ? decision.next : decision.period;
  const following = paymentPeriod(schedule, first.index + 1n);
  // The rest of the period is too short to send anything.
  return decision.kind === 'too_late_to_send' ? [following] : [first, following];
}

function upcomingOf(book: Book, periods: readonly PaymentPeriod[]): UpcomingPayment | null {
  const { plan } = book.subscription;
  for (const { periodStart, dueAt } of periods) {
    const payment = book.payment(scheduledAt(periodStart));
    if (payment && payment.status !== 'DUE') continue;
    const due = dateOf(dueAt);
    if (plan.endsAt && due >= plan.endsAt) return null;
    // A payment that exists owes what it owed from the start.
    const lines = payment ? payment.lines : linesOfPeriod(book, periodStart);
    const total = payment ? payment.amount : totalOf(lines);
    return { dueAt: due, lines, total, limit: plan.maxAmount, isExact: true };
  }
  return null;
}

function limitLeftOf(book: Book, now: Date): bigint | null {
  const { status, plan } = book.subscription;
  if (!COLLECTING.includes(status)) return null;
  const left = plan.maxAmount - paidAmountOf(book.paymentsOf(runningStart(book, now)));
  return left > 0n ? left : 0n;
}

/** The start of the chain's period that is running. */
function runningStart({ subscription }: Book, now: Date): bigint {
  const { startedAt, periodSeconds } = scheduleOf(subscription);
  const sinceStart = unixSeconds(now) - startedAt;
  return sinceStart < 0n ? startedAt : startedAt + (sinceStart / periodSeconds) * periodSeconds;
}
