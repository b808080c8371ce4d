// The statuses of a refund, and when its reference is checked on chain.
//
//   PENDING -> SUCCEEDED   its transfer is final
//   PENDING -> CANCELLED   by the merchant
//   PENDING -> EXPIRED     not sent in time
//   CANCELLED, EXPIRED -> SUCCEEDED   it was sent nevertheless, before the end of the watch
import type { Refund, RefundStatus } from '../../generated/prisma/client.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long a refund can be sent. */
export const REFUND_LASTS_MS = 7 * DAY_MS;
/** How much longer its reference is watched: a link or a signed transaction may be used late. */
export const WATCHED_AFTER_MS = 7 * DAY_MS;

/** Statuses that take from what is left to refund of a payment. */
export const TAKING: readonly RefundStatus[] = ['PENDING', 'SUCCEEDED'];

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
 *   goes on for a day
 */
export function unpaidAt({ status, expiresAt, requestedAt }: Watched, now: Date, isClean: boolean): Unpaid {
  const overMs = now.getTime() - expiresAt.getTime() - WATCHED_AFTER_MS;
  return {
    status: status === 'PENDING' && now >= expiresAt ? 'EXPIRED' : status,
    nextCheckAt: overMs >= (isClean ? 0 : DAY_MS) ? null : nextCheck(requestedAt, now),
  };
}

/** Whether the time is over in which a transfer counts, so that this check is the last one. */
export function isLastCheck({ expiresAt }: Pick<Watched, 'expiresAt'>, now: Date): boolean {
  return now.getTime() >= expiresAt.getTime() + WATCHED_AFTER_MS;
}

/** The time of the next check of a refund that is watched. */
export function nextCheck(requestedAt: Date, now: Date): Date {
  const ageMs = now.getTime() - requestedAt.getTime();
  const pace = PACE.find(({ untilMs }) => ageMs < untilMs);
  return new Date(now.getTime() + (pace?.everyMs ?? SLOWEST_MS));
}
