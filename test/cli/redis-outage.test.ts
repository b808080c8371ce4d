import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findRedisServer, startRedis } from '../../tools/redis-server.ts';
import { DuesProcess } from '../../tools/world/dues-process.ts';
import { startNetwork, type WorldNetwork } from '../../tools/world/network.ts';
import { roleVariables } from '../../tools/world/role-variables.ts';
import { cloneDatabase, type TestDatabase } from '../support/postgres.ts';

const redisServer = findRedisServer();
if (!redisServer) console.warn('SKIPPED: no redis-server');

let network: WorldNetwork;
let database: TestDatabase;
let env: ReturnType<typeof roleVariables>;
const processes: DuesProcess[] = [];

describe.runIf(redisServer)('when Redis stops', () => {
  beforeAll(async () => {
    network = await startNetwork({ slotMs: 100 });
    database = await cloneDatabase(inject('templateDatabaseUrl'));
    env = roleVariables(database.url, network);
  });
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.ended('SIGKILL')));
    await network.close();
    await database.drop();
  });

  it.each(['worker', 'api'])(
    '%s logs each outage and each recovery once, and stops in time during an outage',
    async (role) => {
      const redis = await startRedis(redisServer as string);
      const running = new DuesProcess([role], { ...env, REDIS_URL: redis.url });
      processes.push(running);
      await running.printed(/"msg":"started"/);

      await redis.stop();
      await running.printed(/Redis for live updates unreachable/);
      const back = await startRedis(redisServer as string, Number(new URL(redis.url).port));
      await running.printed(/Redis for live updates reachable again/);
      await back.stop();
      await running.printed(
        /Redis for live updates reachable again[\s\S]*Redis for live updates unreachable/,
      );

      const ended = await running.ended('SIGTERM');
      expect(ended.code).toBe(0);
      expect(ended.tookMs).toBeLessThan(10_000);
      expect(ended.stderr).toBe('');
      const messages = ended.stdout
        .split('\n')
        .filter((line) => line.includes('Redis') || /"level":[456]0/.test(line))
        .map((line) => JSON.parse(line) as { msg: string; err?: { stack: string } })
        .map(({ msg, err }) => (err ? `${msg}: ${err.stack}` : msg));
      for (const message of new Set(messages)) {
        // Redis does not persist data here, so running jobs are lost when it restarts.
        if (message === 'queue emptied while a job ran') continue;
        // A job that runs when Redis stops cannot add the next one.
        if (/^[\w ]+ (may not have been added|not notified)/.test(message)) continue;
        expect(message).toMatch(
          /^Redis for (jobs|new jobs|live updates|rate limits) (reachable again|unreachable: .*)$/,
        );
        expect(messages.filter((other) => other === message).length).toBeLessThanOrEqual(2);
      }
    },
  );
});
