/** How many requests one caller may make in how long. */
export interface RatePolicy {
  /** As it is called in the RateLimit headers. */
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

export const CHECKOUT_CREATION: RatePolicy = { name: 'checkout-creation', limit: 100, windowMs: 60_000 };
/** Sockets that are opened, each of whose operations counts as a request of its own. */
export const SOCKETS_OPENED: RatePolicy = { name: 'sockets', limit: 1000, windowMs: 60_000 };
export const OTHER_REQUESTS: RatePolicy = { name: 'default', limit: 1000, windowMs: 60_000 };

export interface RateVerdict {
  readonly policy: RatePolicy;
  readonly allowed: boolean;
  /** Requests that may still be made now. */
  readonly remaining: number;
  /** When the oldest request that counts no longer does: who was refused gets through then. Unix milliseconds. */
  readonly resetAt: number;
  /** The same from now on: whoever counts may have another clock than this machine. */
  readonly resetInMs: number;
}

/** What whoever counts knows of a caller after a request. */
export interface Counted {
  readonly allowed: boolean;
  /** Requests that count now. */
  readonly used: number;
  /** Unix milliseconds, by the clock of whoever counts. */
  readonly at: number;
  /** When the oldest of them was. */
  readonly oldestAt: number;
}

/**
 * Counts in exact sliding windows: no window of a policy holds more requests of a caller than it allows, wherever it begins
 * and however many processes ask. A refused request does not count.
 */
export interface RateCounter {
  /** Counts `count` requests, all or none. */
  take(policy: RatePolicy, caller: string, count: number): Promise<Counted>;
  close(): Promise<void>;
}

export function verdictOf(policy: RatePolicy, { allowed, used, at, oldestAt }: Counted): RateVerdict {
  // Counters know whole milliseconds, and count a request for up to one longer than the window.
  const resetInMs = Math.max(0, oldestAt + policy.windowMs + 1 - at);
  return {
    policy,
    allowed,
    remaining: Math.max(0, policy.limit - used),
    resetAt: at + resetInMs,
    resetInMs,
  };
}

/**
 * The headers of a verdict: the X- ones that merchants were promised, and the IETF's fields (draft-ietf-httpapi-ratelimit-headers-10).
 */
export function rateLimitHeaders({ policy, allowed, remaining, resetAt, resetInMs }: RateVerdict) {
  const resetSeconds = Math.ceil(resetInMs / 1000);
  return {
    'X-RateLimit-Limit': String(policy.limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
    'RateLimit-Policy': `"${policy.name}";q=${policy.limit};w=${policy.windowMs / 1000}`,
    RateLimit: `"${policy.name}";r=${remaining};t=${resetSeconds}`,
    ...(allowed ? {} : { 'Retry-After': String(resetSeconds) }),
  };
}
