/** How many requests one caller may make in how long. */
export interface RatePolicy {
  /** As it is called in the RateLimit headers. */
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

export const CHECKOUT_CREATION: RatePolicy = { name: 'checkout-creation', limit: 100, windowMs: 60_000 };
export const OTHER_REQUESTS: RatePolicy = { name: 'default', limit: 1000, windowMs: 60_000 };

export interface RateVerdict {
  readonly policy: RatePolicy;
  readonly allowed: boolean;
  /** Requests that may still be made now. */
  readonly remaining: number;
  /** When the oldest request that counts no longer does: who was refused gets through then. Unix milliseconds. */
  readonly resetAt: number;
}

/** Counts requests; a refused one does not count. */
export interface RateLimits {
  take(policy: RatePolicy, caller: string): Promise<RateVerdict>;
}

/**
 * Exact sliding windows in this process's memory: never more than the limit in any window, wherever it begins. Several
 * processes count each for itself.
 *
 * It goes by the machine's time, not by `ctx.clock`: that one is billing's, which on a local network is moved.
 */
export function createRateLimits(now: () => number = Date.now): RateLimits {
  const windows = new Map<string, number[]>();
  let sweepAt = 0;
  const sweep = (at: number, windowMs: number) => {
    if (at < sweepAt) return;
    sweepAt = at + windowMs;
    for (const [key, times] of windows) {
      if ((times.at(-1) ?? 0) <= at - windowMs) windows.delete(key);
    }
  };
  return {
    async take(policy, caller) {
      const at = now();
      sweep(at, policy.windowMs);
      const key = `${policy.name}/${caller}`;
      const times = (windows.get(key) ?? []).filter((time) => time > at - policy.windowMs);
      const allowed = times.length < policy.limit;
      if (allowed) times.push(at);
      windows.set(key, times);
      const oldest = times[0] ?? at;
      return { policy, allowed, remaining: policy.limit - times.length, resetAt: oldest + policy.windowMs };
    },
  };
}

/**
 * The headers of a verdict: the X- ones that merchants were promised, and the IETF's fields (draft-ietf-httpapi-ratelimit-headers-10).
 */
export function rateLimitHeaders({ policy, allowed, remaining, resetAt }: RateVerdict, now = Date.now()) {
  const resetSeconds = Math.max(0, Math.ceil((resetAt - now) / 1000));
  return {
    'X-RateLimit-Limit': String(policy.limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
    'RateLimit-Policy': `"${policy.name}";q=${policy.limit};w=${policy.windowMs / 1000}`,
    RateLimit: `"${policy.name}";r=${remaining};t=${resetSeconds}`,
    ...(allowed ? {} : { 'Retry-After': String(resetSeconds) }),
  };
}
