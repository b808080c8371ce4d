import { randomBytes } from 'node:crypto';
import type { Config } from '../src/config.ts';

/** The default configuration with a database, without Redis and without a cluster. */
export function benchConfig(databaseUrl: string, overrides: Partial<Config> = {}): Config {
  return {
    databaseUrl,
    redisUrl: undefined,
    secretKey: randomBytes(32),
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://127.0.0.1',
    logLevel: 'error',
    clock: 'system',
    webhookHostsAllowed: [],
    trustedProxies: [],
    clusters: {},
    ...overrides,
  };
}
