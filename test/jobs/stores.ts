import { Redis } from 'ioredis';
import { Client } from 'pg';
import { inject } from 'vitest';
import { cloneDatabase } from '../support/postgres.ts';
import { findRedisServer, startRedis } from './redis.ts';

export interface OpenStore {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  /** Loses everything, as a store may. */
  wipe(): Promise<void>;
  close(): Promise<void>;
}

export interface TestStore {
  readonly name: string;
  open(): Promise<OpenStore>;
}

const postgres: TestStore = {
  name: 'PostgreSQL',
  async open() {
    const database = await cloneDatabase(inject('templateDatabaseUrl'));
    return {
      databaseUrl: database.url,
      redisUrl: undefined,
      async wipe() {
        const client = new Client({ connectionString: database.url });
        await client.connect();
        await client.query('TRUNCATE bullmq.job, bullmq.scheduler CASCADE');
        await client.end();
      },
      close: () => database.drop(),
    };
  },
};

const redisOn = (binary: string): TestStore => ({
  name: 'Redis',
  async open() {
    const database = await cloneDatabase(inject('templateDatabaseUrl'));
    const server = await startRedis(binary);
    return {
      databaseUrl: database.url,
      redisUrl: server.url,
      async wipe() {
        const client = new Redis(server.url);
        await client.flushall();
        await client.quit();
      },
      async close() {
        await server.stop();
        await database.drop();
      },
    };
  },
});

/** Every store that this machine has: the same tests run on each. */
export function storesHere(what: string): TestStore[] {
  const binary = findRedisServer();
  if (binary) return [postgres, redisOn(binary)];
  console.warn(`SKIPPED: ${what} on Redis: no redis-server on this machine`);
  return [postgres];
}
