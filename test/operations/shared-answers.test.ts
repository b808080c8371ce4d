import { setImmediate } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { Liveness } from '../../src/operations/liveness.ts';
import { startOperations } from '../../src/operations/start-operations.ts';
import { recordStatements } from '../../tools/statements.ts';
import { testContext } from '../jobs/context.ts';
import { cloneDatabase } from '../support/postgres.ts';

const REQUESTS = 100;

/** The operations port of a worker, with a database of its own. */
async function startWorkerOperations() {
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  onTestFinished(() => database.drop());
  const ctx = testContext({ databaseUrl: database.url, operations: { host: '127.0.0.1', port: 0 } });
  onTestFinished(() => ctx.close());
  const operations = await startOperations(ctx, ['worker']);
  onTestFinished(() => operations?.close());
  return { database, ask: (path: string) => fetch(`http://127.0.0.1:${operations?.port}${path}`) };
}

/** The values of the metrics, by name with labels. */
async function readMetrics(answer: Response): Promise<ReadonlyMap<string, string>> {
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => line.split(/ (?=[^ ]*$)/) as [string, string]));
}

const DATABASE_OK = 'dues_check_ok{check="database",environment=""}';

it('a metric whose reading does not answer is absent, and the others are served', async () => {
  const { database, ask } = await startWorkerOperations();
  const locking = new Client({ connectionString: database.url });
  await locking.connect();
  onTestFinished(() => locking.end());
  await locking.query('BEGIN; LOCK TABLE "Delivery" IN ACCESS EXCLUSIVE MODE');
  // The first readings of a process may take too long.
  await vi.waitFor(async () => {
    const metrics = await readMetrics(await ask('/metrics'));
    expect(metrics.has('dues_webhook_lag_seconds')).toBe(false);
    expect(Number(metrics.get('dues_scrape_failures_total{part="webhooks"}'))).toBeGreaterThan(0);
    expect(metrics.get('dues_mails_waiting')).toBe('0');
    expect(metrics.get(DATABASE_OK)).toBe('1');
  }, 30_000);
  await locking.query('ROLLBACK');
  await vi.waitFor(async () => {
    expect((await readMetrics(await ask('/metrics'))).get('dues_webhook_lag_seconds')).toBe('0');
  }, 30_000);
});

it('without its database no metric of it has a value, and the failed check is 0', async () => {
  const { database, ask } = await startWorkerOperations();
  await database.drop();
  const metrics = await readMetrics(await ask('/metrics'));
  const ofDatabase = /^dues_(webhooks_waiting|webhook_lag|events_unrelayed|mails_waiting|mail_lag|jobs\{)/;
  expect([...metrics.keys()].filter((name) => ofDatabase.test(name))).toEqual([]);
  expect(metrics.get(DATABASE_OK)).toBe('0');
  expect(metrics.get('dues_up{role="worker"}')).toBe('1');
});

it.each(['/health/ready', '/metrics'])('a flood of %s costs no more than one request', async (path) => {
  const { ask } = await startWorkerOperations();
  const flood = (count: number) =>
    recordStatements(() =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const answer = await ask(path);
          // Without a running worker some queues may not exist yet.
          expect([200, 503]).toContain(answer.status);
          await answer.text();
        }),
      ),
    );
  const statementsOfOne = await vi.waitFor(async () => {
    const { length } = await flood(1);
    expect(length).toBeGreaterThan(0);
    return length;
  }, 30_000);
  // On a slow machine the flood may take longer than a reading is cached.
  expect((await flood(REQUESTS)).length).toBeLessThan((statementsOfOne * REQUESTS) / 5);
});

it('a process is not live two minutes after the database’s last answer', async () => {
  let now = 0;
  let answer = Promise.withResolvers<void>();
  const liveness = new Liveness(
    () => answer.promise,
    () => now,
  );
  const isLiveAt = async (ms: number) => {
    now = ms;
    const isLive = liveness.isLive();
    // The question of this probe may be answered.
    await setImmediate();
    return isLive;
  };
  answer.resolve();
  expect(await isLiveAt(0)).toBe(true);
  // Nobody asks for an hour.
  answer = Promise.withResolvers();
  expect(await isLiveAt(3_600_000)).toBe(true);
  expect(await isLiveAt(3_600_000 + 119_999)).toBe(true);
  expect(await isLiveAt(3_600_000 + 120_000)).toBe(false);
  // A refused connection counts as a silent one.
  answer.reject(new Error('refused'));
  await setImmediate();
  expect(await isLiveAt(3_600_000 + 121_000)).toBe(false);
  answer = Promise.withResolvers();
  answer.resolve();
  await isLiveAt(3_600_000 + 122_000);
  expect(await isLiveAt(3_600_000 + 123_000)).toBe(true);
});

it('a process stays live if one question fails and the next probe is hours later', async () => {
  let now = 0;
  let isDown = true;
  const liveness = new Liveness(
    async () => {
      if (isDown) throw new Error('refused');
    },
    () => now,
  );
  const isLiveAt = async (hours: number) => {
    now = hours * 3_600_000;
    const isLive = liveness.isLive();
    await setImmediate();
    return isLive;
  };
  expect(await isLiveAt(0)).toBe(true);
  // The question of this probe fails too.
  expect(await isLiveAt(1)).toBe(true);
  expect(await isLiveAt(2)).toBe(false);
  isDown = false;
  expect(await isLiveAt(3)).toBe(false);
  expect(await isLiveAt(4)).toBe(true);
  isDown = true;
  expect(await isLiveAt(5)).toBe(true);
  isDown = false;
  expect(await isLiveAt(6)).toBe(true);
  expect(await isLiveAt(7)).toBe(true);
});
