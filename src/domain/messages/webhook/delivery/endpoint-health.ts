import type { PostResult } from '../post/post-webhook.ts';

const DAY_MS = 86_400_000;
/** An endpoint that has only failed for this time is disabled. */
const FAILING_LIMIT_MS = 5 * DAY_MS;
/** Attempts of a worker that endpoints with a slowdown do not get. */
const KEPT_FREE = 64;
/** The default concurrency of 32, halved five times, is one. The release before has no higher one. */
const MAX_SLOWDOWN = 5;
const MAX_PAUSE_MS = 600_000;
const GONE = 410;
/** Too many requests, bad gateway, gateway timeout: the endpoint is overloaded. */
const OVERLOADED = [429, 502, 504];

/** The health of an endpoint, from its attempts. */
export interface EndpointHealth {
  readonly failingSince: Date | null;
  readonly slowdown: number;
  readonly pausedUntil: Date | null;
}

export type AttemptOutcome = Pick<PostResult, 'statusCode' | 'error' | 'retryAfterMs' | 'isTimedOut'>;

/** The times of the attempts' end. */
export interface HealthTimes {
  /** The time of `ctx.clock`, for pauses: it decides when deliveries are due. */
  readonly now: Date;
  /** The time of `ctx.wallClock`, for the series of failures. */
  readonly wallTime: Date;
}

/** Whether a healthy endpoint stays healthy, so that nothing is written. */
export function isStillHealthy(
  { failingSince, slowdown }: EndpointHealth,
  { error }: AttemptOutcome,
): boolean {
  return failingSince === null && slowdown === 0 && error === null;
}

/**
 * The health of an endpoint after some more attempts.
 *
 * - A response of 410 disables it at once. Five days of only failures disable it too, by the
 *   machine's time; a success ends the series of failures.
 * - If it is overloaded or times out, it is paused (1, 2, 4 ... 32 s, or as long as it requests, up
 *   to 10 minutes), and its concurrency is halved, up to five times. Each success doubles it again.
 */
export function healthAfter(
  before: EndpointHealth,
  attempts: readonly AttemptOutcome[],
  { now, wallTime }: HealthTimes,
): EndpointHealth & { readonly off: 'GONE' | 'FAILING' | null } {
  const hasSucceeded = attempts.some(({ error }) => error === null);
  const overloaded = attempts.filter(isOverloaded);
  const failingSince = hasSucceeded ? null : (before.failingSince ?? wallTime);
  const isFailing = failingSince !== null && wallTime.getTime() - failingSince.getTime() >= FAILING_LIMIT_MS;
  const off = attempts.some(({ statusCode }) => statusCode === GONE) ? 'GONE' : isFailing ? 'FAILING' : null;
  if (overloaded.length === 0) {
    const slowdown = hasSucceeded ? Math.max(0, before.slowdown - 1) : before.slowdown;
    return { failingSince, slowdown, pausedUntil: before.pausedUntil, off };
  }
  const requestedMs = overloaded.map(({ retryAfterMs }) => Math.min(retryAfterMs ?? 0, MAX_PAUSE_MS));
  const pauseMs = Math.max(1000 * 2 ** before.slowdown, ...requestedMs);
  return {
    failingSince,
    slowdown: Math.min(MAX_SLOWDOWN, before.slowdown + 1),
    pausedUntil: new Date(Math.max(now.getTime() + pauseMs, before.pausedUntil?.getTime() ?? 0)),
    off,
  };
}

function isOverloaded({ statusCode, isTimedOut }: AttemptOutcome): boolean {
  return isTimedOut || (statusCode !== null && OVERLOADED.includes(statusCode));
}

/**
 * Maximum attempts in flight at an endpoint of a worker with this free capacity: a quarter of it.
 * Endpoints with a slowdown leave the last of it to the others.
 */
export function maxInFlight(isSlowedDown: boolean, free: number): number {
  const usable = isSlowedDown ? free - KEPT_FREE : free;
  return usable <= 0 ? 0 : Math.max(1, Math.floor(usable / 4));
}
