import { Redis } from 'ioredis';
import { vi } from 'vitest';
import { findRedisServer, startRedis } from '../../tools/redis-server.ts';
import { runSql } from '../../tools/run-sql.ts';
import { takeDatabase } from '../support/shared-database.ts';
import { SOON } from '../support/soon.ts';

export interface OpenStore {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  /** Expires the locks of all running jobs, as if their workers had not renewed them. */
  endLocks(): Promise<void>;
  /** Deletes everything, as a failing store may. */
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
    const database = await takeDatabase();
    const run = (sql: string) => runSql(database.url, sql);
    return {
      databaseUrl: database.url,
      redisUrl: undefined,
      endLocks: () => run(`UPDATE bullmq.job SET locked_until_ms = 1 WHERE state = 'active'`),
      // Statements of the queues lock the tables in another order. PostgreSQL ends one of two that
      // block each other, so this one is retried.
      wipe: () => vi.waitFor(() => run('TRUNCATE bullmq.job, bullmq.scheduler CASCADE'), SOON),
      close: () => database.giveBack(),
    };
  },
};

const redisOn = (binary: string): TestStore => ({
  name: 'Redis',
  async open() {
    const database = await takeDatabase();
    const server = await startRedis(binary);
    return {
      databaseUrl: database.url,
      redisUrl: server.url,
      async endLocks() {
        const client = new Redis(server.url);
        const locks = await client.keys('bull:*:lock');
        if (locks.length > 0) await client.del(locks);
        await client.quit();
      },
      async wipe() {
        const client = new Redis(server.url);
        await client.flushall();
        await client.quit();
      },
      async close() {
        await server.stop();
        await database.giveBack();
      },
    };
  },
});

/** Every store that is available on this machine. The tests run on each of them. */
export function storesHere(tests: string): TestStore[] {
  const binary = findRedisServer();
  if (binary) return [postgres, redisOn(binary)];
  console.warn(`SKIPPED: ${tests} on Redis: no redis-server on this machine`);
  return [postgres];
}
