import type { SubscriptionStatus } from '../../../generated/prisma/client.ts';

/** What decides whether a subscription gives access. */
export interface AccessTerms {
  readonly status: SubscriptionStatus;
  /**
   * When access ends, of a subscription that is over, or whose payment waits for a top-up; null if it ended with
   * the subscription.
   */
  readonly accessUntil: Date | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly nextPaymentAt: Date;
  /** Start of the running or next pause; null without one. */
  readonly pausedFrom: Date | null;
  /** End of that pause; null until it is resumed. */
  readonly pausedUntil: Date | null;
  readonly pauseKeepsAccess: boolean;
}

/**
 * - `ACTIVE`: paid, or in its trial.
 * - `PAUSED`: paused without access.
 * - `PAST_DUE`: a payment has failed and is retried. Access goes on.
 * - `GRACE`: its payment has failed for the last time, and the grace that the merchant gives is not over.
 * - `UNPAID`: its payment has failed for the last time, and waits for a top-up.
 * - `CANCELLED`: cancelled; access lasts until the end of the paid time.
 * - `EXPIRED`: too many payments have failed.
 */
export const ACCESS_REASONS = [
  ...(['ACTIVE', 'PAUSED', 'PAST_DUE', 'GRACE', 'UNPAID', 'CANCELLED', 'EXPIRED'] as const),
] as const;
export type AccessReason = (typeof ACCESS_REASONS)[number];

/** The access that a subscription gives at one time. */
export interface Access {
  readonly hasAccess: boolean;
  /** When access ends if nothing changes; null if no end is known, or if there is no access. */
  readonly until: Date | null;
  readonly reason: AccessReason;
  /** The next time at which this changes by time alone; null if there is none. */
  readonly changesAt: Date | null;
}

/** The access that a subscription gives at a time. A renewal does not change it. */
export function accessOf(terms: AccessTerms, now: Date): Access {
  switch (terms.status) {
    case 'ACTIVE':
      return accessOfCollected(terms, 'ACTIVE', now);
    case 'PAST_DUE':
      return terms.accessUntil === null
        ? accessOfCollected(terms, 'PAST_DUE', now)
        : endingAt(terms.accessUntil, now, 'GRACE', 'UNPAID');
    case 'CANCELLED':
      return endingAt(terms.accessUntil, now, 'CANCELLED', 'CANCELLED');
    case 'EXPIRED':
      return endingAt(terms.accessUntil, now, 'GRACE', 'EXPIRED');
  }
}

function accessOfCollected(terms: AccessTerms, reason: 'ACTIVE' | 'PAST_DUE', now: Date): Access {
  const { pausedFrom, pausedUntil, pauseKeepsAccess, cancelAtPeriodEnd, nextPaymentAt } = terms;
  const mayPause = !pauseKeepsAccess && pausedFrom !== null && (pausedUntil === null || pausedUntil > now);
  // It is cancelled at that time; a worker that is late does not make access longer.
  const ends = reason === 'ACTIVE' && cancelAtPeriodEnd ? nextPaymentAt : null;
  if (ends !== null && ends <= now) return endingAt(ends, now, reason, 'CANCELLED');
  if (mayPause && pausedFrom <= now) {
    return { hasAccess: false, until: null, reason: 'PAUSED', changesAt: earliest([pausedUntil, ends]) };
  }
  const until = earliest([mayPause ? pausedFrom : null, ends]);
  return { hasAccess: true, until, reason, changesAt: until };
}

/** The earliest of some times; null if there is none. */
export function earliest(times: readonly (Date | null)[]): Date | null {
  return times.reduce((first, at) => (at !== null && (first === null || at < first) ? at : first), null);
}

function endingAt(until: Date | null, now: Date, before: AccessReason, after: AccessReason): Access {
  return until !== null && until > now
    ? { hasAccess: true, until, reason: before, changesAt: until }
    : { hasAccess: false, until: null, reason: after, changesAt: null };
}
