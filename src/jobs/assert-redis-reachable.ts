import { Redis } from 'ioredis';

const CONNECT_WITHIN_MS = 5_000;

/** Redis is configured, and not there or not ours to use. */
export class RedisUnusable extends Error {
  override name = 'RedisUnusable';
}

/**
 * Asks Redis once, where everybody else would go on trying to connect without a word.
 *
 * @throws RedisUnusable in one line, without the URL's password
 */
export async function assertRedisReachable(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: CONNECT_WITHIN_MS,
    commandTimeout: CONNECT_WITHIN_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // Tells the reason, where what `connect` rejects with only says that the connection was closed.
  let reason: Error | undefined;
  redis.on('error', (error) => {
    reason ??= error;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (cause) {
    const { message } = reason ?? (cause as Error);
    const who = `Redis at ${withoutPassword(redisUrl)}`;
    throw new RedisUnusable(`${who} cannot be used (REDIS_URL): ${message.split('\n')[0]}`, { cause });
  } finally {
    redis.disconnect();
  }
}

function withoutPassword(redisUrl: string): string {
  const { protocol, host, pathname } = new URL(redisUrl);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
