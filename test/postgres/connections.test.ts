import { Client } from 'pg';
import { expect, inject, it, vi } from 'vitest';
import { explain } from '../../bin/expected-failure.ts';
import { createApp } from '../../src/app.ts';
import { connectDb } from '../../src/db/db.ts';
import { jobNames } from '../../src/jobs/catalog.ts';
import { startWorkers } from '../../src/jobs/worker.ts';
import { startDatabase } from '../../tools/world/database.ts';
import { runDues } from '../../tools/world/dues-process.ts';
import type { JobHandlers } from '../../workers/job-handler.ts';
import { testContext } from '../jobs/context.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { SOON } from '../support/soon.ts';

const WORKERS = 8;
/** Connections for the leadership of an indexer with two environments. */
const LEADERSHIP_CONNECTIONS = 2;
/** Connections of an API for callers without a valid key. */
const STRANGER_CONNECTIONS = 5;
const ADVICE = /lower DATABASE_CONNECTIONS, set REDIS_URL .*docs\/operations\.md/;

it('eight workers, an API and an indexer fit into 100 connections', async () => {
  await using closing = new AsyncDisposableStack();
  const { url: databaseUrl } = await startDatabase(closing);
  const admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  closing.defer(() => admin.end());
  const base = testContext({ databaseUrl, logLevel: 'silent' });
  closing.defer(() => base.close());
  const { rows: limits } = await admin.query('SHOW max_connections');
  expect(limits).toEqual([{ max_connections: '100' }]);

  const ticked = Array.from({ length: WORKERS }, () => new Set<string>());
  const done = new Set<number>();
  const start = async (role: 'worker' | 'api' | 'indexer') => {
    const app = await createApp(base.config, role);
    closing.defer(() => app.close());
    return app.ctx;
  };
  const [api, indexer] = [await start('api'), await start('indexer')];
  const workers = [];
  for (const names of ticked) {
    const ctx = await start('worker');
    const handlers = Object.fromEntries(jobNames.map((name) => [name, async () => void names.add(name)]));
    const collect: JobHandlers['payments.collect'] = async (_, { share }) => void done.add(share);
    const running = await startWorkers(ctx, { ...handlers, 'payments.collect': collect } as JobHandlers);
    closing.defer(() => running.close());
    workers.push(ctx);
  }
  // Every pool is full: each has more queries than connections.
  const contexts = [api, indexer, ...workers];
  const busy = contexts.flatMap(({ db }) =>
    Array.from({ length: 12 }, () => db.$queryRaw`SELECT 1 FROM pg_sleep(0.5)`),
  );
  // Adding a job while all connections are busy may time out, and is retried.
  const jobs = contexts.map((ctx, index) =>
    vi.waitFor(
      () =>
        ctx.jobs.addMany(
          'payments.collect',
          Array.from({ length: 10 }, (_, share) => ({
            payload: { environment: 'TEST' as const, share: index * 10 + share },
          })),
        ),
      SOON,
    ),
  );
  let max = 0;
  const counter = { isRunning: true };
  const counterEnded = (async () => {
    while (counter.isRunning) {
      const { rows } = await admin.query<{ count: number }>(
        `SELECT count(*)::int AS "count"
         FROM pg_stat_activity, pg_sleep(0.02)
         WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
      max = Math.max(max, rows[0]?.count ?? 0);
    }
  })();
  await Promise.all(busy);
  await Promise.all(jobs);
  await vi.waitFor(() => expect(done.size).toBe(contexts.length * 10), SOON);
  counter.isRunning = false;
  await counterEnded;
  console.info(`connections at once: ${max}`);
  const { rows: listening } = await admin.query(
    `SELECT count(*)::int AS "count" FROM pg_stat_activity
     WHERE query LIKE '%LISTEN bullmq_jobs%' AND pid <> pg_backend_pid()`,
  );
  expect(listening).toEqual([{ count: WORKERS }]);
  // Three connections are reserved for the administrator. Leadership has separate connections.
  expect(max + LEADERSHIP_CONNECTIONS + STRANGER_CONNECTIONS).toBeLessThanOrEqual(97);
  const { rows: reserved } = await admin.query('SHOW superuser_reserved_connections');
  expect(reserved).toEqual([{ superuser_reserved_connections: '3' }]);
});

it('a process without a connection names the settings to lower', async () => {
  await using closing = new AsyncDisposableStack();
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  closing.defer(() => database.drop());
  const admin = new Client({ connectionString: database.url });
  await admin.connect();
  const role = `narrow_${Date.now()}`;
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'narrow'`);
  await admin.query(`ALTER ROLE ${role} CONNECTION LIMIT 1`);
  closing.defer(async () => {
    await admin.query(`DROP ROLE ${role}`);
    await admin.end();
  });
  const url = new URL(database.url);
  url.username = role;
  url.password = 'narrow';
  const holder = new Client({ connectionString: url.href });
  await holder.connect();
  closing.defer(() => holder.end());

  const queues = await runDues(['queues'], { DATABASE_URL: url.href });
  expect(queues.code).toBe(1);
  expect(queues.stderr).toMatch(/too many connections for role/);
  expect(queues.stderr).toMatch(ADVICE);
  expect(queues.stderr).not.toContain('    at ');

  // Prisma or BullMQ may get no connection later, after the first check.
  const db = connectDb(url.href);
  closing.defer(() => db.$disconnect());
  const modelError = await db.merchant.findFirst().catch((error: unknown) => error);
  expect(modelError).toMatchObject({ code: 'P2037' });
  expect(explain('worker', modelError)).toMatch(ADVICE);
  const sqlError = await db.$queryRaw`SELECT 1`.catch((error: unknown) => error);
  expect(sqlError).toMatchObject({ code: 'P2010' });
  expect(explain('worker', sqlError)).toMatch(ADVICE);
  const transactionError = await db.$transaction([db.merchant.count()]).catch((error: unknown) => error);
  expect(explain('worker', transactionError)).toMatch(ADVICE);
  const ctx = testContext({ databaseUrl: url.href });
  closing.defer(() => ctx.close());
  const workerError = await startWorkers(ctx, {}).catch((error: unknown) => error);
  expect(workerError).toMatchObject({ code: '53300' });
  expect(explain('worker', workerError)).toMatch(ADVICE);
});
