import type { Db } from '../../db/db.ts';
import { BillingError } from '../../errors.ts';

/** The maximum requests of one caller in a time window. */
export interface RatePolicy {
  /** Name in the RateLimit headers. */
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

export const CHECKOUT_CREATION: RatePolicy = { name: 'checkout-creation', limit: 100, windowMs: 60_000 };
/** Checkouts that the page of a payment link opens, per network address. */
export const LINK_CHECKOUTS: RatePolicy = { name: 'payment-link', limit: 20, windowMs: 60_000 };
/** Opened sockets. Each operation on a socket counts as a separate request. */
export const SOCKETS_OPENED: RatePolicy = { name: 'sockets', limit: 1000, windowMs: 60_000 };
/** Wallets that are read from the chain for a caller. */
export const WALLET_READS: RatePolicy = { name: 'wallet-reads', limit: 1000, windowMs: 60_000 };
export const OTHER_REQUESTS: RatePolicy = { name: 'default', limit: 1000, windowMs: 60_000 };
/** Attempts to create a merchant, per address. */
export const SIGN_UPS: RatePolicy = { name: 'sign-up', limit: 10, windowMs: 3_600_000 };
/** Codes of discounts that are tried in checkouts, per network address. */
export const CODES_TRIED: RatePolicy = { name: 'codes', limit: 30, windowMs: 3_600_000 };
/** Requests for links into the portal, per address of the caller. */
export const PORTAL_LINKS: RatePolicy = { name: 'portal-links', limit: 10, windowMs: 3_600_000 };
/**
 * Requests for portal links per email address. Further ones send no mail; the response is the same.
 */
export const PORTAL_MAILS: RatePolicy = { name: 'portal-mails', limit: 3, windowMs: 3_600_000 };
/**
 * Changes of billing details and undone cancellations, per subscription. Each writes rows that
 * are never deleted.
 */
export const PORTAL_CHANGES: RatePolicy = { name: 'portal-changes', limit: 30, windowMs: 3_600_000 };
/** Requests of one member's pages, in both environments; they never count against the merchant. */
export const dashboardPolicy = (limit: number): RatePolicy => ({
  name: 'dashboard',
  limit,
  windowMs: 60_000,
});

/** The policy of requests that create a checkout; undefined for others. */
export function checkoutPolicy(method: string | undefined, path: string): RatePolicy | undefined {
  if (method !== 'POST') return undefined;
  if (path === '/checkout/create') return CHECKOUT_CREATION;
  return path.startsWith('/pay/') ? LINK_CHECKOUTS : undefined;
}

/**
 * Time after which a request may be retried that was refused because too many others wait. With the
 * millisecond of `verdictOf` it is one second, so `Retry-After` is 1.
 */
export const BUSY_MS = 999;

export interface RateVerdict {
  readonly policy: RatePolicy;
  readonly allowed: boolean;
  /** Requests that are still allowed now. */
  readonly remaining: number;
  /**
   * Time at which the oldest counted request leaves the window and a refused caller may retry. Unix
   * milliseconds.
   */
  readonly resetAt: number;
  /** Milliseconds until then. The counter's clock may differ from this machine's. */
  readonly resetInMs: number;
}

/** The state of a caller after a count. */
export interface Counted {
  readonly allowed: boolean;
  /** Requests counted in the current window. */
  readonly used: number;
  /** Time of the count, in Unix milliseconds of the counter's clock. */
  readonly at: number;
  /** Time of the oldest counted request. */
  readonly oldestAt: number;
  /** True if nothing was counted, because too many requests of this caller were waiting. */
  readonly isUncounted?: boolean;
}

/**
 * Counts in exact sliding windows: no window contains more requests of a caller than the policy
 * allows, whatever its start and however many processes count. A refused request does not count.
 */
export interface RateCounter {
  /** Counts `count` requests, all or none. */
  take(policy: RatePolicy, caller: string, count: number): Promise<Counted>;
  /**
   * Returns the same counter with other database connections, whose callers do not wait for ours.
   * Must not be closed.
   */
  beside(db: Db): RateCounter;
  close(): Promise<void>;
}

/** The verdict about a caller after a count. */
export function verdictOf(policy: RatePolicy, { allowed, used, at, oldestAt }: Counted): RateVerdict {
  // Counters use whole milliseconds and may count a request for one millisecond longer than the
  // window.
  const resetInMs = Math.max(0, oldestAt + policy.windowMs + 1 - at);
  return {
    policy,
    allowed,
    remaining: Math.max(0, policy.limit - used),
    resetAt: at + resetInMs,
    resetInMs,
  };
}

/** The verdict for a request that does not count. */
export function uncountedVerdict(policy: RatePolicy): RateVerdict {
  return { policy, allowed: true, remaining: policy.limit, resetAt: Date.now(), resetInMs: 0 };
}

/**
 * The rate-limit headers: the X- headers of the contract, and the IETF's fields
 * (draft-ietf-httpapi-ratelimit-headers-10).
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

/** The error of a request over the limit. */
export function tooManyRequests(): BillingError {
  return new BillingError('rate_limit_exceeded', 'Too many requests; try again at X-RateLimit-Reset.');
}
