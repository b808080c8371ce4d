import { dateOf, unixSeconds } from '../../../chain/chain-time.ts';
import { type Book, isOpenExtra, scheduledAt } from '../book/book.ts';
import { collectableLines, limitLeftOf } from '../book/lines-of-period.ts';
import { COLLECTING } from '../book/status.ts';
import { type Line, totalOf } from '../price/line.ts';
import { decideNow, scheduleOf } from '../schedule/billable.ts';
import { type PaymentPeriod, paymentPeriod, periodStartAt } from '../schedule/period.ts';
import { firstCharged, waivedTimes } from '../schedule/waivers.ts';
import { nextPaymentOf } from './next-payment.ts';

/** The next payment as it will be collected if nothing changes. */
export interface UpcomingPayment {
  readonly dueAt: Date;
  readonly lines: readonly Line[];
  /** The sum of the lines, in base units. */
  readonly total: bigint;
  /** The most that can be collected in the period, in base units. */
  readonly limit: bigint;
  /**
   * Whether the lines are those that will be collected. They are not while another payment of the period
   * is open: it may be collected first, and then less is left of the limit.
   */
  readonly isExact: boolean;
}

/** What is ahead of a subscription. */
export interface Ahead {
  /** Null if nothing will be collected. */
  readonly upcomingPayment: UpcomingPayment | null;
  /** What is left of the limit in the chain's running period by the books; null if nothing is collected. */
  readonly limitLeft: bigint | null;
}

/** What is ahead of a subscription at `now`. The payments of `periodsToRead` have been read. */
export function aheadOf(book: Book, now: Date): Ahead {
  const isCollected = COLLECTING.includes(book.subscription.status);
  return {
    upcomingPayment: upcomingOf(book, periodsAhead(book, now)),
    limitLeft: isCollected ? limitLeftOf(book, runningStart(book, now)) : null,
  };
}

/** The starts of the chain's periods from which `aheadOf` follows. */
export function periodsToRead(book: Book, now: Date): readonly bigint[] {
  const starts = periodsAhead(book, now).map(({ periodStart }) => periodStart);
  return [...new Set([runningStart(book, now), ...starts])];
}

/** The periods from which the next payment is collected: the first one that has not been paid or waived. */
function periodsAhead({ subscription }: Book, now: Date): readonly PaymentPeriod[] {
  const { waivers } = subscription;
  const schedule = scheduleOf(subscription);
  const times = waivedTimes(schedule, waivers);
  if (nextPaymentOf({ ...subscription, ...times }).nextPaymentAt === null) return [];
  const decision = decideNow(subscription, now);
  const { index } = decision.kind === 'missed' ? decision.next : decision.period;
  // The rest of the period may be too short to send anything.
  const first = firstCharged(waivers, decision.kind === 'too_late_to_send' ? index + 1n : index);
  const following = first === null ? null : firstCharged(waivers, first + 1n);
  return [first, following].flatMap((charged) => (charged === null ? [] : paymentPeriod(schedule, charged)));
}

function upcomingOf(book: Book, periods: readonly PaymentPeriod[]): UpcomingPayment | null {
  const { plan } = book.subscription;
  for (const { periodStart, dueAt } of periods) {
    const payment = book.payment(scheduledAt(periodStart));
    if (payment && payment.status !== 'DUE') continue;
    const due = dateOf(dueAt);
    if (plan.endsAt && due >= plan.endsAt) return null;
    const lines = collectableLines(book, periodStart);
    const isExact = !book.paymentsOf(periodStart).some(isOpenExtra);
    return { dueAt: due, lines, total: totalOf(lines), limit: plan.maxAmount, isExact };
  }
  return null;
}

/** The start of the chain's period that is running. */
function runningStart({ subscription }: Book, now: Date): bigint {
  const schedule = scheduleOf(subscription);
  const at = unixSeconds(now);
  // A subscription may begin a moment later by the clock of the chain.
  if (at < schedule.startedAt) return schedule.startedAt;
  return periodStartAt(schedule, at);
}
