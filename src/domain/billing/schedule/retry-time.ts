import { LANDING_SECONDS, paymentPeriod, paymentsUntil, type Schedule } from './period.ts';

/** The end of a chain's period, and when the first payment after it is due. */
export interface PeriodEnds {
  readonly periodEnd: bigint;
  readonly nextDueAt: bigint;
}

/** The ends of the chain's period that starts at `periodStart`. */
export function endsOfPeriod(schedule: Schedule, periodStart: bigint): PeriodEnds {
  const periodEnd = periodStart + schedule.periodSeconds;
  return { periodEnd, nextDueAt: paymentPeriod(schedule, paymentsUntil(schedule, periodEnd)).dueAt };
}

/** Time reserved for deciding, signing and writing before a payment becomes too late to send. */
const LAST_ATTEMPT_MS = 10_000;

/** The attempt after a failure of the payer. `afterFailure` decides the delay. */
export type RetryTime =
  | { readonly kind: 'retry'; readonly at: Date }
  /** The payment is not retried: `at` is when the next payment is due. */
  | { readonly kind: 'next_payment'; readonly at: Date };

/**
 * The attempt after a failure at `now`: after the delay, but not later than the payment may be
 * sent. If that time has passed, no retry can come, and the next payment is attempted when it is
 * due.
 */
export function retryTime(now: Date, delayMs: number, ends: PeriodEnds): RetryTime {
  const lastMs = lastAttemptMs(ends);
  if (now.getTime() < lastMs) {
    return { kind: 'retry', at: new Date(Math.min(now.getTime() + delayMs, lastMs)) };
  }
  return nextPayment(now, ends);
}

/** The attempt after a payment that is not retried: of the next payment, when that is due. */
export function nextPayment(now: Date, ends: PeriodEnds): RetryTime {
  return { kind: 'next_payment', at: new Date(Math.max(now.getTime(), nextDueMs(ends))) };
}

/**
 * The next attempt of a payment that waits `delayMs` without a failure of its payer: not later than
 * the payment may be sent, or, if that time has passed, than the next payment is due.
 */
export function nextAttempt(now: Date, delayMs: number, ends: PeriodEnds): Date {
  const { kind, at } = retryTime(now, delayMs, ends);
  return kind === 'retry' ? at : new Date(Math.min(now.getTime() + delayMs, at.getTime()));
}

function lastAttemptMs({ periodEnd }: PeriodEnds): number {
  return Number(periodEnd - LANDING_SECONDS) * 1000 - LAST_ATTEMPT_MS;
}

function nextDueMs({ nextDueAt }: PeriodEnds): number {
  return Number(nextDueAt) * 1000;
}
