import { z } from 'zod';
import type { RedisStore } from '../../config/redis-config.ts';
import { connectRedis, endConnection, watchConnection } from '../../jobs/redis-connection.ts';
import type { Logger } from '../../observability/log.ts';
import { Outage } from '../../observability/outage.ts';
import { CallerQueues } from './caller-queues.ts';
import type { RateCounter } from './rate-limit.ts';

/** Maximum time to wait for a count. After that the request continues without one. */
const ANSWER_TIMEOUT_MS = 1_000;

// One list per caller with the times of its counted requests, oldest first. A script runs
// atomically, and the time is the server's.
const TAKE = `
  local key, count, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local time = redis.call('TIME')
  local at = math.floor(time[1] * 1000 + time[2] / 1000)
  at = math.max(at, tonumber(redis.call('LINDEX', key, -1) or 0))
  local oldest = tonumber(redis.call('LINDEX', key, 0) or at)
  while oldest < at - window do
    redis.call('LPOP', key)
    oldest = tonumber(redis.call('LINDEX', key, 0) or at)
  end
  local used = redis.call('LLEN', key)
  if used + count > limit then return {0, used, at, oldest} end
  for _ = 1, count do redis.call('RPUSH', key, at) end
  redis.call('PEXPIRE', key, window + 1)
  return {1, used + count, at, oldest}`;

const answer = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** Creates a counter in Redis, which any number of machines can share. */
export async function createRedisRateCounter(
  store: RedisStore,
  log: Logger,
  prefix = '',
): Promise<RateCounter> {
  const redis = connectRedis(store, {
    lazyConnect: true,
    // While Redis is not reachable, a count fails at once instead of waiting.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_TIMEOUT_MS,
  });
  watchConnection(redis, new Outage(log, 'Redis for rate limits'));
  await redis.connect();
  return new CallerQueues({
    takeAll: (requests) =>
      Promise.all(
        requests.map(async ({ key, count, limit, windowMs }) => {
          // A script has one key, so that it runs on one node of a Redis cluster.
          const reply = await redis.eval(TAKE, 1, `${prefix}dues:rate:${key}`, count, limit, windowMs);
          const [allowed, used, at, oldestAt] = answer.parse(reply);
          return { allowed: allowed === 1, used, at, oldestAt };
        }),
      ),
    close: () => endConnection(redis),
  });
}
