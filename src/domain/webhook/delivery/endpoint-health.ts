import type { PostResult } from '../post/post-webhook.ts';

const DAY_MS = 86_400_000;
/** An endpoint that has done nothing but fail for so long is switched off. */
const FAILING_LIMIT_MS = 5 * DAY_MS;
/** Tries that one worker has under way at one endpoint while all is well. */
const MOST_AT_ONCE = 32;
/** Places of a worker that endpoints in trouble do not get. */
const KEPT_FREE = 64;
/** 32 halved so often is one. */
const MAX_SLOWDOWN = 5;
const MAX_PAUSE_MS = 600_000;
const GONE = 410;
/** Too many requests, bad gateway, gateway timeout: there is more than it can take. */
const OVERLOADED = [429, 502, 504];

/** How an endpoint has been doing. */
export interface EndpointHealth {
  readonly failingSince: Date | null;
  readonly slowdown: number;
  readonly pausedUntil: Date | null;
}

export type Try = Pick<PostResult, 'statusCode' | 'error' | 'retryAfterMs' | 'isTimedOut'>;

/** Nothing to write down about an endpoint that works when a try has worked. */
export function isWell({ failingSince, slowdown }: EndpointHealth, { error }: Try): boolean {
  return failingSince === null && slowdown === 0 && error === null;
}

/**
 * How an endpoint is doing after some more tries.
 *
 * - 410 switches it off at once, failures alone for five days do as well; one success starts the count anew.
 * - Overloaded, or silent until the time was up: it gets a pause (1, 2, 4 ... 32 s, or what it asks for, up to 10 minutes) and
 *   half as much at once, down to one. Success doubles it again.
 */
export function healthAfter(
  before: EndpointHealth,
  tries: readonly Try[],
  now: Date,
): EndpointHealth & { readonly off: 'GONE' | 'FAILING' | null } {
  const hasSucceeded = tries.some(({ error }) => error === null);
  const overloaded = tries.filter(isOverloaded);
  const failingSince = hasSucceeded ? null : (before.failingSince ?? now);
  const isFailing = failingSince !== null && now.getTime() - failingSince.getTime() >= FAILING_LIMIT_MS;
  const off = tries.some(({ statusCode }) => statusCode === GONE) ? 'GONE' : isFailing ? 'FAILING' : null;
  if (overloaded.length === 0) {
    const slowdown = hasSucceeded ? Math.max(0, before.slowdown - 1) : before.slowdown;
    return { failingSince, slowdown, pausedUntil: before.pausedUntil, off };
  }
  const asked = overloaded.map(({ retryAfterMs }) => Math.min(retryAfterMs ?? 0, MAX_PAUSE_MS));
  const pauseMs = Math.max(1000 * 2 ** before.slowdown, ...asked);
  return {
    failingSince,
    slowdown: Math.min(MAX_SLOWDOWN, before.slowdown + 1),
    pausedUntil: new Date(Math.max(now.getTime() + pauseMs, before.pausedUntil?.getTime() ?? 0)),
    off,
  };
}

function isOverloaded({ statusCode, isTimedOut }: Try): boolean {
  return isTimedOut || (statusCode !== null && OVERLOADED.includes(statusCode));
}

/**
 * How much one worker has under way at an endpoint at most. None gets more than a quarter of what is free, and those that
 * have been slowed down leave the last places to the others, however many they are.
 */
export function mostAtOnce(slowdown: number, free: number): number {
  const usable = slowdown === 0 ? free : free - KEPT_FREE;
  if (usable <= 0) return 0;
  return Math.min(MOST_AT_ONCE >> slowdown, Math.max(1, Math.floor(usable / 4)));
}

/** `mostAtOnce` by slowdown from 0 on, for a query. */
export function mostAtOnceTable(free: number): number[] {
  return Array.from({ length: MAX_SLOWDOWN + 1 }, (_, slowdown) => mostAtOnce(slowdown, free));
}
