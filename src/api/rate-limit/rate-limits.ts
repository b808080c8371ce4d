import type { AppContext } from '../../app.ts';
import { redisOf } from '../../config/redis-config.ts';
import { prefixOf } from '../../jobs/redis-connection.ts';
import { countRefusal, countUncounted } from '../../observability/metrics/counters.ts';
import { isMember } from '../access/counts-against.ts';
import { FullWindows } from './full-windows.ts';
import { createPostgresRateCounter } from './postgres-rate-counter.ts';
import {
  dashboardPolicy,
  OTHER_REQUESTS,
  type RateCounter,
  type RatePolicy,
  type RateVerdict,
  verdictOf,
} from './rate-limit.ts';
import { createRedisRateCounter } from './redis-rate-counter.ts';

/** The rate limits of all requests. */
export interface RateLimits {
  /** Returns the policy for a rate-limit key, for requests that create no checkout. */
  policyOf(caller: string): RatePolicy;
  /** Counts requests, all or none of them. Never fails. */
  take(policy: RatePolicy, caller: string, count?: number): Promise<RateVerdict>;
  /** Returns the refusal of a caller that is known to be over its limit; undefined otherwise. */
  recall(policy: RatePolicy, caller: string, count?: number): RateVerdict | undefined;
  /**
   * Returns the same limits with other database connections, for other callers. Must not be closed.
   */
  beside(db: AppContext['db']): RateLimits;
  close(): Promise<void>;
}

/**
 * Creates limits that hold across processes. They are counted in Redis if it is configured,
 * otherwise in the database. If the store does not respond, requests are allowed without a count
 * and an error is logged, because checkouts must not fail with the store.
 */
export async function createRateLimits(ctx: Pick<AppContext, 'config' | 'db' | 'log'>): Promise<RateLimits> {
  const redis = redisOf(ctx.config);
  const counter = redis
    ? await createRedisRateCounter(redis, ctx.log, prefixOf(ctx.config))
    : createPostgresRateCounter(ctx);
  return createLimits(counter, ctx);
}

function createLimits(counter: RateCounter, { config, log }: Pick<AppContext, 'config' | 'log'>): RateLimits {
  const dashboard = dashboardPolicy(config.dashboardRequestsPerMinute);
  const policyOf = (caller: string) => (isMember(caller) ? dashboard : OTHER_REQUESTS);
  let isCounting = true;
  const logOutage = (counts: boolean, err?: unknown) => {
    if (counts === isCounting) return;
    isCounting = counts;
    if (counts) log.info('requests are counted again');
    else log.error({ err }, 'requests not counted: rate limits not enforced');
  };
  const full = new FullWindows();
  const recall = (policy: RatePolicy, caller: string, count = 1) => {
    const refused = full.recall(policy, caller, count);
    if (refused) countRefusal(policy.name);
    return refused;
  };
  const countedBy = (counter: RateCounter): RateLimits => ({
    policyOf,
    recall,
    async take(policy, caller, count = 1) {
      const refused = recall(policy, caller, count);
      if (refused) return refused;
      try {
        const askedAtMs = performance.now();
        const counted = await counter.take(policy, caller, count);
        logOutage(true);
        // A refusal without a count does not mean that the window is full.
        if (!counted.isUncounted) full.note(policy, caller, counted, askedAtMs);
        if (!counted.allowed) countRefusal(policy.name);
        return verdictOf(policy, counted);
      } catch (err) {
        logOutage(false, err);
        countUncounted();
        const at = Date.now();
        return verdictOf(policy, { allowed: true, used: 0, at, oldestAt: at });
      }
    },
    beside: (db) => countedBy(counter.beside(db)),
    close: () => counter.close(),
  });
  return countedBy(counter);
}
