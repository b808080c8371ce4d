// When a payment is due and until when it may be collected. There are two series of dates:
//
//   the chain's periods     start ─ P ─ start+P ─ P ─ start+2P ...    the limit applies to each
//   dues' payments          anchor      anchor+L      anchor+2L ...   anchor = start + offset
//
// P is the period of the plan's account on chain, L the billing interval, which is not shorter. Payment
// n (from 0) is due at anchor + n*L and is pulled from the chain's period that contains that time. If
// less than an hour of that period is left, the payment is due at its end. The offset need not be a
// whole number of periods or hours; each payment still has a period of its own, and an hour to land. A
// pull after the end of that period would use up the next period's limit. The payment is then missed,
// and never collected later.

/** The shortest time from a due date to the end of the chain's period. It is the shortest period. */
export const MIN_SECONDS_TO_LAND = 3_600n;

/**
 * How long a transaction that is sent now may still land: 150 blocks, doubled for slow slots.
 * Nothing is sent so late that it could use up the next period's amount.
 */
export const LANDING_SECONDS = 120n;

/** The base of a subscription's dates, in unix seconds. */
export interface Schedule {
  /** Start of the chain's first period: the subscription's creation on chain. */
  readonly startedAt: bigint;
  /** The chain's period. */
  readonly periodSeconds: bigint;
  /** From one payment to the next; at least `periodSeconds`. */
  readonly intervalSeconds: bigint;
  /** From the start to the first due date: the trial, if there is one. */
  readonly anchorOffsetSeconds: bigint;
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
  const { startedAt, periodSeconds, intervalSeconds, anchorOffsetSeconds } = schedule;
  const sinceStart = anchorOffsetSeconds + index * intervalSeconds;
  const secondsLeft = periodSeconds - (sinceStart % periodSeconds);
  const dueSinceStart = secondsLeft < MIN_SECONDS_TO_LAND ? sinceStart + secondsLeft : sinceStart;
  const dueAt = startedAt + dueSinceStart;
  const periodStart = periodStartAt(schedule, dueAt);
  return { index, dueAt, periodStart, periodEnd: periodStart + periodSeconds };
}

/** The start of the chain's period that is running at `at`, which is not before the start. */
export function periodStartAt({ startedAt, periodSeconds }: Schedule, at: bigint): bigint {
  return at - ((at - startedAt) % periodSeconds);
}

/** The due date of the payment after `period`. */
export function dueAfter(schedule: Schedule, { index }: PaymentPeriod): bigint {
  return paymentPeriod(schedule, index + 1n).dueAt;
}

/**
 * The number of the payment that is due at `at`, or was due last before it, from 0; -1 before the first
 * due date. A trial has no number: the first payment after it is payment 0. Discounts and waivers
 * apply to ranges of these numbers.
 */
export function periodIndexOf(schedule: Schedule, at: bigint): bigint {
  const sinceAnchor = at - schedule.startedAt - schedule.anchorOffsetSeconds;
  if (sinceAnchor < 0n) return -1n;
  const index = sinceAnchor / schedule.intervalSeconds;
  // A due date may be moved to the end of the chain's period.
  return paymentPeriod(schedule, index).dueAt <= at ? index : index - 1n;
}

/** The payment whose due date is `dueAt`; undefined if the schedule has no such date. */
export function paymentDueAt(schedule: Schedule, dueAt: bigint): PaymentPeriod | undefined {
  const index = periodIndexOf(schedule, dueAt);
  if (index < 0n) return undefined;
  const period = paymentPeriod(schedule, index);
  return period.dueAt === dueAt ? period : undefined;
}

/**
 * The payment pulled from the chain's period that starts at `periodStart`; undefined before the first
 * payment, and if no payment is due in that period.
 */
export function paymentOfPeriod(schedule: Schedule, periodStart: bigint): PaymentPeriod | undefined {
  const index = paymentsUntil(schedule, periodStart + schedule.periodSeconds) - 1n;
  const period = index < 0n ? undefined : paymentPeriod(schedule, index);
  return period?.periodStart === periodStart ? period : undefined;
}

/** The number of payments of the chain's periods up to the one that ends at `periodEnd`. */
export function paymentsUntil(schedule: Schedule, periodEnd: bigint): bigint {
  const { startedAt, intervalSeconds, anchorOffsetSeconds } = schedule;
  const sinceAnchor = periodEnd - MIN_SECONDS_TO_LAND - startedAt - anchorOffsetSeconds;
  return sinceAnchor < 0n ? 0n : sinceAnchor / intervalSeconds + 1n;
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
  /** The periods of these payments are over. `next` is the first payment whose period is not. */
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
  const next = paymentPeriod(schedule, paymentsUntil(schedule, periodStartAt(schedule, now)));
  return { kind: 'missed', missed: periodsBefore(schedule, dueAt, next), next };
}
