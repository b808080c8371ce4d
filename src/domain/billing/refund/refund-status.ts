// The statuses of a refund, and when its reference is checked on chain.
//
//   PENDING -> SUCCEEDED   its transfer is final
//   PENDING -> CANCELLED   by the merchant
//   PENDING -> EXPIRED     not sent in time
//   CANCELLED, EXPIRED -> SUCCEEDED   its transfer was seen before the end of the watch
import type { Refund, RefundStatus } from '../../../generated/prisma/client.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The time for which a refund can be sent. */
export const REFUND_LIFETIME_MS = 7 * DAY_MS;
/** The time for which its reference is watched after that: a link may be used late, for example. */
export const WATCHED_AFTER_MS = 7 * DAY_MS;

/** Statuses whose amounts reduce what can still be refunded of a payment. */
export const COUNTED_STATUSES: readonly RefundStatus[] = ['PENDING', 'SUCCEEDED'];

/** Statuses from which a transfer on chain makes a refund succeed. */
export const PAYABLE: readonly RefundStatus[] = ['PENDING', 'CANCELLED', 'EXPIRED'];

/** Delays between checks, by the time since the refund or its transaction was last requested. */
const CHECK_DELAYS: readonly { readonly untilMs: number; readonly everyMs: number }[] = [
  { untilMs: 5 * MINUTE_MS, everyMs: 3_000 },
  { untilMs: HOUR_MS, everyMs: 30_000 },
  { untilMs: DAY_MS, everyMs: 10 * MINUTE_MS },
];
const SLOWEST_MS = 2 * HOUR_MS;
/** The same for a refund that has succeeded: only a further transfer can still be found. */
const PAID_CHECK_DELAYS: typeof CHECK_DELAYS = [
  { untilMs: 5 * MINUTE_MS, everyMs: MINUTE_MS },
  { untilMs: HOUR_MS, everyMs: 5 * MINUTE_MS },
  { untilMs: DAY_MS, everyMs: HOUR_MS },
];
const PAID_SLOWEST_MS = 12 * HOUR_MS;

type Watched = Pick<Refund, 'status' | 'expiresAt' | 'requestedAt'>;

/** The change of a refund after a check that did not settle it. */
export interface CheckedChange {
  readonly status: RefundStatus;
  /** Null if it is no longer watched. */
  readonly nextCheckAt: Date | null;
}

/**
 * The status and next check of a refund after a check that did not settle it.
 *
 * @param isClean whether all transactions with its reference were final and read; if not, the watch
 *   continues for a day
 */
export function changeAfterCheck(refund: Watched, now: Date, isClean: boolean): CheckedChange {
  const { status, expiresAt } = refund;
  const overMs = now.getTime() - endOfWatch(refund);
  return {
    status: status === 'PENDING' && now >= expiresAt ? 'EXPIRED' : status,
    nextCheckAt: overMs >= (isClean ? 0 : DAY_MS) ? null : nextCheckOf(refund, now),
  };
}

/** Whether the watch has ended, so that this check is the last one. */
export function isLastCheck(refund: Pick<Watched, 'expiresAt'>, now: Date): boolean {
  return now.getTime() >= endOfWatch(refund);
}

/**
 * Whether the last check begins now. Continuing an earlier check is not enough, because it may have
 * begun before the newest transactions. A check that was due at the end of the watch or before
 * is not part of the last one.
 */
export function beginsLastCheck(refund: Pick<Refund, 'expiresAt' | 'nextCheckAt'>, now: Date): boolean {
  const { nextCheckAt } = refund;
  return isLastCheck(refund, now) && nextCheckAt !== null && nextCheckAt.getTime() <= endOfWatch(refund);
}

/** The time of the next check of a watched refund, or of the next page of a check. */
export function nextCheckOf(
  refund: Watched,
  now: Date,
  at = nextCheck(refund.requestedAt, now, refund.status),
): Date {
  const end = endOfWatch(refund);
  return now.getTime() < end && at.getTime() > end ? new Date(end) : at;
}

/** The time of the next check of a refund that was last requested at `requestedAt`. */
export function nextCheck(requestedAt: Date, now: Date, status: RefundStatus = 'PENDING'): Date {
  const ageMs = now.getTime() - requestedAt.getTime();
  const [delays, slowestMs] =
    status === 'SUCCEEDED' ? [PAID_CHECK_DELAYS, PAID_SLOWEST_MS] : [CHECK_DELAYS, SLOWEST_MS];
  const delay = delays.find(({ untilMs }) => ageMs < untilMs);
  return new Date(now.getTime() + (delay?.everyMs ?? slowestMs));
}

const endOfWatch = ({ expiresAt }: Pick<Watched, 'expiresAt'>) => expiresAt.getTime() + WATCHED_AFTER_MS;
