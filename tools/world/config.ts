import { randomBytes } from 'node:crypto';
import type { Config } from '../../src/config.ts';

/** The configuration of a world: a database, and by default no Redis and no cluster. */
export function worldConfig(databaseUrl: string, settings: Partial<Config> = {}): Config {
  return {
    databaseUrl,
    redisUrl: undefined,
    secretKey: Uint8Array.from(randomBytes(32)),
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://127.0.0.1',
    logLevel: 'error',
    clock: 'system',
    webhookHostsAllowed: [],
    trustedProxies: [],
    stopDelaySeconds: 0,
    databaseStandby: 'expected',
    relayShards: 1,
    signUp: 'invited',
    dashboardRequestsPerMinute: 3_000,
    clusters: {},
    ...settings,
  };
}
