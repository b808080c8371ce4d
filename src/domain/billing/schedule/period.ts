// When a payment is due and until when it may be collected. Two series of dates have the same
// interval L:
//
//   the chain's periods     start ─ L ─ start+L ─ L ─ start+2L ...    one pull of the price in each
//   dues' payments          anchor      anchor+L      anchor+2L ...   anchor = start + trial
//
// Payment n (from 0) is due at anchor + n*L and is pulled from the chain's period that contains
// that time. The trial need not be a whole number of periods; each payment still has a period of
// its own. A pull after the end of that period would use up the next period's amount. The payment
// is then missed, and never collected later.

/**
 * How long a transaction that is sent now may still land: 150 blocks, doubled for slow slots.
 * Nothing is sent so late that it could use up the next period's amount.
 */
export const LANDING_SECONDS = 120n;

/** The base of a subscription's dates, in unix seconds. */
export interface Schedule {
  /** Start of the chain's first period: the subscription's creation on chain. */
  readonly startedAt: bigint;
  readonly intervalSeconds: bigint;
  readonly trialSeconds: bigint;
}

/** The dates of one payment. */
export interface PaymentPeriod {
  /** 0 for the first payment. */
  readonly index: bigint;
  readonly dueAt: bigint;
  /** The chain's period from which it is pulled: [periodStart, periodEnd). */
  readonly periodStart: bigint;
  readonly periodEnd: bigint;
}

/** Payment `index` of a schedule. */
export function paymentPeriod(schedule: Schedule, index: bigint): PaymentPeriod {
  const { startedAt, intervalSeconds, trialSeconds } = schedule;
  const dueAt = startedAt + trialSeconds + index * intervalSeconds;
  const periodStart = startedAt + ((dueAt - startedAt) / intervalSeconds) * intervalSeconds;
  return { index, dueAt, periodStart, periodEnd: periodStart + intervalSeconds };
}

/** The payment whose due date is `dueAt`; undefined if the schedule has no such date. */
export function paymentDueAt(schedule: Schedule, dueAt: bigint): PaymentPeriod | undefined {
  const sinceAnchor = dueAt - schedule.startedAt - schedule.trialSeconds;
  if (sinceAnchor < 0n || sinceAnchor % schedule.intervalSeconds !== 0n) return undefined;
  return paymentPeriod(schedule, sinceAnchor / schedule.intervalSeconds);
}

/**
 * The payment pulled from the chain's period that starts at `periodStart`; undefined in the trial.
 */
export function paymentOfPeriod(schedule: Schedule, periodStart: bigint): PaymentPeriod | undefined {
  const { startedAt, intervalSeconds, trialSeconds } = schedule;
  const periodIndex = (periodStart - startedAt) / intervalSeconds;
  const index = periodIndex - trialSeconds / intervalSeconds;
  return index < 0n ? undefined : paymentPeriod(schedule, index);
}

/** The end of a chain's period, and when the first payment after it is due. */
export interface PeriodEnds {
  readonly periodEnd: bigint;
  readonly nextDueAt: bigint;
}

/** The ends of the chain's period that starts at `periodStart`. */
export function endsOfPeriod(schedule: Schedule, periodStart: bigint): PeriodEnds {
  const { intervalSeconds } = schedule;
  const payment = paymentOfPeriod(schedule, periodStart);
  return {
    periodEnd: periodStart + intervalSeconds,
    nextDueAt: payment ? payment.dueAt + intervalSeconds : paymentPeriod(schedule, 0n).dueAt,
  };
}

/**
 * The payments from the one due at `dueAt` up to, but not including, `next`; at most the newest
 * `MAX_MISSED`. Empty if `next` is not later.
 */
export function periodsBefore(schedule: Schedule, dueAt: bigint, next: PaymentPeriod): PaymentPeriod[] {
  const from = paymentDueAt(schedule, dueAt)?.index ?? next.index;
  const first = next.index - from > MAX_MISSED ? next.index - MAX_MISSED : from;
  const periods: PaymentPeriod[] = [];
  for (let index = first; index < next.index; index++) periods.push(paymentPeriod(schedule, index));
  return periods;
}

export type Decision =
  /** Not due before `period.dueAt`. */
  | { readonly kind: 'wait'; readonly period: PaymentPeriod }
  /** Pull it now. */
  | { readonly kind: 'collect'; readonly period: PaymentPeriod }
  /** A transaction sent now could land in the next period: wait for the end of this one. */
  | { readonly kind: 'too_late_to_send'; readonly period: PaymentPeriod }
  /** The periods of these payments are over. `next` is the payment of the current period. */
  | { readonly kind: 'missed'; readonly missed: readonly PaymentPeriod[]; readonly next: PaymentPeriod };

/** Maximum missed payments recorded for one gap, the newest ones. */
const MAX_MISSED = 100n;

/**
 * Decides at `now` on the next payment, which is due at `dueAt`. `landingSeconds` is how long a
 * transaction that is sent now may still land.
 */
export function decide(schedule: Schedule, dueAt: bigint, now: bigint, landingSeconds: bigint): Decision {
  const period = paymentDueAt(schedule, dueAt);
  if (!period) throw new RangeError(`${dueAt} is not a due date of the schedule`);
  if (now < period.dueAt) return { kind: 'wait', period };
  if (now < period.periodEnd) {
    return now + landingSeconds < period.periodEnd
      ? { kind: 'collect', period }
      : { kind: 'too_late_to_send', period };
  }
  const periodsOver = (now - period.periodEnd) / schedule.intervalSeconds + 1n;
  const nextIndex = period.index + periodsOver;
  const next = paymentPeriod(schedule, nextIndex);
  return { kind: 'missed', missed: periodsBefore(schedule, dueAt, next), next };
}
