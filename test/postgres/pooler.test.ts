import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { holdLeadership } from '../../indexer/source/leadership.ts';
import { type App, createApp } from '../../src/app.ts';
import { runPrepared } from '../../src/db/db.ts';
import { startWorkers } from '../../src/jobs/worker.ts';
import { testContext } from '../jobs/context.ts';
import { cloneDatabase, type TestDatabase } from '../support/postgres.ts';
import { SOON } from '../support/soon.ts';
import { findPgbouncer, startPgbouncer } from './pgbouncer.ts';

const binary = findPgbouncer();
if (!binary) console.warn('SKIPPED: behind PgBouncer: no pgbouncer on this machine');

describe.runIf(binary)('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>;
  let app: App;
  beforeAll(async () => {
    database = await cloneDatabase(inject('templateDatabaseUrl'));
    pooler = await startPgbouncer(binary as string, database.url);
    const { config, close } = testContext({ databaseUrl: pooler.url });
    await close();
    app = await createApp({ ...config, directDatabaseUrl: database.url }, 'api');
  });
  afterAll(async () => {
    await app?.close();
    await pooler?.stop();
    await database.drop();
  });

  it('statements and transactions of ten connections share two server connections', async () => {
    const { db } = app.ctx;
    const statement = { name: 'pooler.test', text: 'SELECT $1::int AS "n", pg_backend_pid() AS "pid"' };
    const rows = await Promise.all(
      Array.from({ length: 60 }, (_, n) => runPrepared<{ n: number; pid: number }>(db, statement, [n])),
    );
    expect(rows.map(([row]) => row?.n)).toEqual(Array.from({ length: 60 }, (_, n) => n));
    expect(new Set(rows.map(([row]) => row?.pid)).size).toBeLessThanOrEqual(2);
    const sums = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        db.$transaction(async (tx) => {
          const [a] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
          const [b] = await tx.$queryRaw<
            { pid: number; n: number }[]
          >`SELECT pg_backend_pid() AS pid, ${n}::int AS n`;
          return a?.pid === b?.pid ? b?.n : undefined;
        }),
      ),
    );
    expect(sums).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('queues connect to the database itself, which notifies workers of jobs', async () => {
    const done: number[] = [];
    const workers = await startWorkers(app.ctx, {
      'payments.collect': async (_, { share }) => {
        done.push(share);
      },
    });
    await app.ctx.jobs.add('payments.collect', { environment: 'TEST', share: 4 });
    await vi.waitFor(() => expect(done).toEqual([4]), SOON);
    await workers.close();
  });

  it('one of two indexers leads, by a lock on the database itself', async () => {
    const stop = new AbortController();
    const leading: string[] = [];
    const { directDatabaseUrl: databaseUrl = '' } = app.ctx.config;
    const lead = (name: string) =>
      holdLeadership(
        {
          databaseUrl,
          environment: 'TEST',
          checkMs: 20,
          lastWorkMs: 60_000,
          onNoAnswer: () => undefined,
          log: app.ctx.log,
        },
        stop.signal,
        async (signal) => {
          leading.push(name);
          // The other one may begin to lead while both are stopped.
          if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
      );
    const both = [lead('one'), lead('other')];
    await vi.waitFor(() => expect(leading).toHaveLength(1), SOON);
    for (let query = 0; query < 50; query++) await app.ctx.db.$queryRaw`SELECT 1`;
    expect(leading).toHaveLength(1);
    stop.abort();
    await Promise.all(both);
  });
});
