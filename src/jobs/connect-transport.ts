import { type RedisConfig, redisOf } from '../config/redis-config.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../observability/log.ts';
import { connectPostgresTransport } from './postgres-transport.ts';
import { prefixOf } from './redis-connection.ts';
import { connectRedisTransport } from './redis-transport.ts';
import type { Transport, TransportUse } from './transport.ts';

export type QueueStoreConfig = Pick<Config, 'databaseUrl' | 'directDatabaseUrl' | 'redisPrefix'> &
  RedisConfig;

/**
 * Connects to Redis if it is configured, otherwise to a separate schema (`bullmq`) in our database.
 *
 * @throws RedisUnusable if `use` is `work` and Redis evicts keys
 */
export function connectTransport(
  config: QueueStoreConfig,
  use: TransportUse,
  log: Logger,
): Promise<Transport> {
  const redis = redisOf(config);
  return redis
    ? connectRedisTransport(redis, prefixOf(config), use, log)
    : connectPostgresTransport(config.directDatabaseUrl ?? config.databaseUrl, use);
}
