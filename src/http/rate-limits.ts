import type { AppContext } from '../app.ts';
import { countRefusal, countUncounted } from '../metrics/counters.ts';
import { createPostgresRateCounter } from './postgres-rate-counter.ts';
import { type RateCounter, type RatePolicy, type RateVerdict, verdictOf } from './rate-limit.ts';
import { createRedisRateCounter } from './redis-rate-counter.ts';

/** What all requests are counted by. */
export interface RateLimits {
  /** Counts requests, all or none of them. Never fails. */
  take(policy: RatePolicy, caller: string, count?: number): Promise<RateVerdict>;
  close(): Promise<void>;
}

/**
 * Limits that hold across processes: counted in Redis where it is configured, else in the database. Where neither answers,
 * requests are let through uncounted, and that is logged: a merchant's checkout is worth more than a limit.
 */
export async function createRateLimits(ctx: Pick<AppContext, 'config' | 'db' | 'log'>): Promise<RateLimits> {
  const { redisUrl } = ctx.config;
  const counter = redisUrl ? await createRedisRateCounter(redisUrl, ctx.log) : createPostgresRateCounter(ctx);
  return openWithout(counter, ctx);
}

function openWithout(counter: RateCounter, { log }: Pick<AppContext, 'log'>): RateLimits {
  let isCounting = true;
  const told = (counts: boolean, err?: unknown) => {
    if (counts === isCounting) return;
    isCounting = counts;
    if (counts) log.info('requests are counted again');
    else log.error({ err }, 'requests are not counted: no limit holds until they are');
  };
  return {
    async take(policy, caller, count = 1) {
      try {
        const counted = await counter.take(policy, caller, count);
        told(true);
        if (!counted.allowed) countRefusal(policy.name);
        return verdictOf(policy, counted);
      } catch (err) {
        told(false, err);
        countUncounted();
        const at = Date.now();
        return verdictOf(policy, { allowed: true, used: 0, at, oldestAt: at });
      }
    },
    close: () => counter.close(),
  };
}
