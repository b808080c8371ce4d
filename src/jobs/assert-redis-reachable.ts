import { once } from 'node:events';
import type { Cluster, Redis } from 'ioredis';
import { hostInUrl } from '../config/host-in-url.ts';
import type { RedisStore } from '../config/redis-config.ts';
import type { HostPort } from '../config/variables/kinds.ts';
import { connectRedis, lastNodeErrorOf } from './redis-connection.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** Redis is configured but cannot be reached or used. */
export class RedisUnusable extends Error {
  override name = 'RedisUnusable';
}

/**
 * Connects to Redis once, to report a wrong configuration: later connections retry silently.
 *
 * @throws RedisUnusable with a message of one line, without the password
 */
export async function assertRedisReachable(store: RedisStore): Promise<void> {
  const redis = connectRedis(store, {
    once: true,
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
  });
  // The first error is the cause. `connect` itself only rejects with "connection closed".
  let reason: Error | undefined;
  redis.on('error', (error: Error) => {
    reason ??= lastNodeErrorOf(error);
  });
  try {
    await Promise.race([redis.connect(), failWhenEnded(redis)]);
    await redis.ping();
  } catch (cause) {
    const { message } = reason ?? (cause as Error);
    throw new RedisUnusable(`${describeStore(store)}: ${message.split('\n')[0]}`, { cause });
  } finally {
    redis.disconnect();
  }
}

/**
 * Rejects when the connection ends. `connect` of a cluster stays pending if the nodes answer but
 * their state is not "ok": ioredis closes the connection and waits for the next attempt, which is
 * disabled here.
 */
async function failWhenEnded(redis: Redis | Cluster): Promise<never> {
  await once(redis, 'end');
  throw new Error('the connection was closed; cluster_state of its nodes may not be "ok"');
}

function describeStore(store: RedisStore): string {
  if (store.kind === 'server') {
    return `Redis at ${withoutPassword(store.url)} cannot be used (REDIS_URL)`;
  }
  if (store.kind === 'cluster') {
    return `The Redis Cluster at ${listAddresses(store.nodes)} cannot be used (REDIS_CLUSTER_NODES)`;
  }
  return `Redis ${store.name} by the sentinels at ${listAddresses(store.sentinels)} cannot be used (REDIS_SENTINELS)`;
}

function listAddresses(nodes: readonly HostPort[]): string {
  return nodes.map(({ host, port }) => `${hostInUrl(host)}:${port}`).join(', ');
}

function withoutPassword(redisUrl: string): string {
  const { protocol, host, pathname } = new URL(redisUrl);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
