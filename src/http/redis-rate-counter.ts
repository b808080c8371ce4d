import { Redis } from 'ioredis';
import { z } from 'zod';
import { endConnection, watchConnection } from '../jobs/redis-connection.ts';
import type { Logger } from '../log.ts';
import { Outage } from '../outage.ts';
import type { RateCounter } from './rate-limit.ts';

/** Nobody waits longer for a count: the request goes on without. */
const ANSWER_WITHIN_MS = 1_000;

// One list a caller with the times of the requests that count, oldest first. A script runs alone, and the time is the server's.
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

/** Counts in Redis, for any number of machines. */
export async function createRedisRateCounter(redisUrl: string, log: Logger): Promise<RateCounter> {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    // While it is away a count fails at once instead of waiting for it.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_WITHIN_MS,
  });
  watchConnection(redis, new Outage(log, 'Redis for rate limits'));
  await redis.connect();
  return {
    async take({ name, limit, windowMs }, caller, count) {
      const told = await redis.eval(TAKE, 1, `dues:rate:${name}/${caller}`, count, limit, windowMs);
      const [allowed, used, at, oldestAt] = answer.parse(told);
      return { allowed: allowed === 1, used, at, oldestAt };
    },
    close: () => endConnection(redis),
  };
}
