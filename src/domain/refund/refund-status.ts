// The statuses of a refund, and when its reference is checked on chain.
//
//   PENDING -> SUCCEEDED   its transfer is final
//   PENDING -> CANCELLED   by the merchant
//   PENDING -> EXPIRED     not sent in time
//   CANCELLED, EXPIRED -> SUCCEEDED   its transfer was seen before the end of the watch
import type { Refund, RefundStatus } from '../../generated/prisma/client.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long a refund can be sent. */
export const REFUND_LASTS_MS = 7 * DAY_MS;
/** How much longer its reference is watched: a link or a signed transaction may be used late. */
export const WATCHED_AFTER_MS = 7 * DAY_MS;

/** Statuses whose amounts reduce what can still be refunded of a payment. */
export const COUNTED_STATUSES: readonly RefundStatus[] = ['PENDING', 'SUCCEEDED'];

/** Statuses from which a transfer on chain makes a refund succeed. */
export const PAYABLE: readonly RefundStatus[] = ['PENDING', 'CANCELLED', 'EXPIRED'];

/** Delays between checks, by the time since the merchant was last about to send it. */
const PACE: readonly { readonly untilMs: number; readonly everyMs: number }[] = [
  { untilMs: 5 * MINUTE_MS, everyMs: 3_000 },
  { untilMs: HOUR_MS, everyMs: 30_000 },
  { untilMs: DAY_MS, everyMs: 10 * MINUTE_MS },
];
const SLOWEST_MS = 2 * HOUR_MS;

type Watched = Pick<Refund, 'status' | 'expiresAt' | 'requestedAt'>;

/** What a check that found no transfer makes of a refund. */
export interface Unpaid {
  readonly status: RefundStatus;
  /** Null if it is no longer watched. */
  readonly nextCheckAt: Date | null;
}

/**
 * The status and next check of a refund whose transfer was not found.
 *
 * @param isClean whether all transactions with its reference were final and read; if not, the watch
 *   continues for a day
 */
export function unpaidAt(refund: Watched, now: Date, isClean: boolean): Unpaid {
  const { status, expiresAt } = refund;
  const overMs = now.getTime() - endOfWatch(refund);
  return {
    status: status === 'PENDING' && now >= expiresAt ? 'EXPIRED' : status,
    nextCheckAt: overMs >= (isClean ? 0 : DAY_MS) ? null : nextCheckOf(refund, now),
  };
}

/** Whether the time is over in which a transfer counts, so that this check is the last one. */
export function isLastCheck(refund: Pick<Watched, 'expiresAt'>, now: Date): boolean {
  return now.getTime() >= endOfWatch(refund);
}

/**
 * Whether the last check begins now. What an earlier check has left to read is not enough: it began
 * before the newest transactions. All earlier checks were planned for the end of the watch at the
 * latest.
 */
export function beginsLastCheck(refund: Pick<Refund, 'expiresAt' | 'nextCheckAt'>, now: Date): boolean {
  const { nextCheckAt } = refund;
  return isLastCheck(refund, now) && nextCheckAt !== null && nextCheckAt.getTime() <= endOfWatch(refund);
}

/** The time of the next check of a refund that is watched, or of the next page of one. */
export function nextCheckOf(
  refund: Pick<Watched, 'expiresAt' | 'requestedAt'>,
  now: Date,
  at = nextCheck(refund.requestedAt, now),
): Date {
  const end = endOfWatch(refund);
  return now.getTime() < end && at.getTime() > end ? new Date(end) : at;
}

/** The time of the next check of a refund that was requested. */
export function nextCheck(requestedAt: Date, now: Date): Date {
  const ageMs = now.getTime() - requestedAt.getTime();
  const pace = PACE.find(({ untilMs }) => ageMs < untilMs);
  return new Date(now.getTime() + (pace?.everyMs ?? SLOWEST_MS));
}

const endOfWatch = ({ expiresAt }: Pick<Watched, 'expiresAt'>) => expiresAt.getTime() + WATCHED_AFTER_MS;
