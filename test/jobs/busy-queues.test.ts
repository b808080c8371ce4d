import { Client } from 'pg';
import { afterAll, afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { BusyQueues } from '../../src/jobs/busy-queues.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { testContext } from './context.ts';

const POLL_INTERVAL_MS = 15_000;
const LOCK_MS = 30_000;
const LARGE_LEAD_MS = 300_000;
/**
 * A worker's clock may be this far ahead. A lock that ends at most this much late is not shortened,
 * because its job may still be running.
 */
const SMALL_LEAD_MS = 25_000;

let reads: number;
let queues: BusyQueues;

const database = await sharedByFile(cloneDatabase(inject('templateDatabaseUrl')));
const ctx = await sharedByFile(testContext({ databaseUrl: database.url }));
// The tables are created with the first job.
await vi.waitFor(() => ctx.jobs.add('payments.tidy', {}), 20_000);
const client = new Client({ connectionString: database.url, options: '-c search_path=bullmq' });
await client.connect();
await client.query('TRUNCATE job CASCADE');
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  reads = 0;
  queues = new BusyQueues((text, values) => {
    reads += 1;
    return client.query(text, values);
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await client.query('TRUNCATE job CASCADE');
});
afterAll(async () => {
  await client.end();
});

const NAMES = ['transactions.follow', 'payments.tidy', 'webhooks.deliver'] as const;
/** The busy queues, read some time after the last read. */
const readBusy = async () => {
  vi.advanceTimersByTime(POLL_INTERVAL_MS);
  const busyNames: string[] = [];
  for (const name of NAMES) if (await queues.isBusy(name, LOCK_MS)) busyNames.push(name);
  return busyNames;
};

it('queues count as busy until they are read, and one read serves all', async () => {
  // The first read covers only the first queue. The others count as busy until the next read.
  expect(await readBusy()).toEqual(NAMES.slice(1));
  expect(reads).toBe(1);
  expect(await readBusy()).toEqual([]);
  for (let call = 0; call < 10; call++) await queues.isBusy('transactions.follow', LOCK_MS);
  expect(reads).toBe(2);
});

it('queues with a job that waits, runs or will run soon are busy', async () => {
  await readBusy();
  await ctx.jobs.add('payments.tidy', {});
  await ctx.jobs.add('transactions.follow', {}, { delayMs: 10_000 });
  await ctx.jobs.add('webhooks.deliver', { endpointId: crypto.randomUUID() }, { delayMs: 60_000 });
  expect(await readBusy()).toEqual(['transactions.follow', 'payments.tidy']);
  await client.query(`UPDATE job SET state = 'active'`);
  expect(await readBusy()).toEqual(NAMES);
});

it('locks of a process whose clock is minutes ahead end as if it were right', async () => {
  await readBusy();
  await ctx.jobs.add('payments.tidy', {});
  await ctx.jobs.add('webhooks.deliver', { endpointId: crypto.randomUUID() });
  const lateLock = Date.now() + LARGE_LEAD_MS;
  const rightLock = Date.now() + LOCK_MS;
  // The clock of a worker may be seconds ahead. A shortened lock would expire too early, and another
  // worker could take the job.
  const almostRight = rightLock + SMALL_LEAD_MS;
  await client.query(
    `UPDATE job SET state = 'active', locked_until_ms = CASE queue WHEN 'payments.tidy' THEN $1 ELSE $2 END::bigint`,
    [lateLock, almostRight],
  );
  await client.query(`INSERT INTO meta (queue, field, value) VALUES ('payments.tidy', 'stalled-check', $1)`, [
    lateLock,
  ]);
  await readBusy();
  const { rows: locks } = await client.query('SELECT locked_until_ms FROM job ORDER BY queue');
  expect(Number(locks[0].locked_until_ms)).toBeGreaterThanOrEqual(rightLock);
  expect(Number(locks[0].locked_until_ms)).toBeLessThan(Date.now() + LOCK_MS + 1);
  expect(Number(locks[1].locked_until_ms)).toBe(almostRight);
  const { rows: checks } = await client.query(`SELECT value FROM meta WHERE field = 'stalled-check'`);
  expect(Number(checks[0].value)).toBeLessThanOrEqual(Date.now());
});

it('a queue marked as busy is busy at once, until the next read', async () => {
  await readBusy();
  await readBusy();
  queues.notice('payments.tidy');
  expect(await queues.isBusy('payments.tidy', LOCK_MS)).toBe(true);
  expect(await queues.isBusy('webhooks.deliver', LOCK_MS)).toBe(false);
  expect(await readBusy()).toEqual([]);
});

it('a mark that is made during a read stays after the read', async () => {
  await readBusy();
  const slow = new BusyQueues(async (text, values) => {
    const answer = await client.query(text, values);
    slow.notice('payments.tidy');
    return answer;
  });
  await slow.isBusy('payments.tidy', LOCK_MS);
  vi.advanceTimersByTime(POLL_INTERVAL_MS);
  expect(await slow.isBusy('payments.tidy', LOCK_MS)).toBe(true);
});

it('a store that does not respond is queried again', async () => {
  let isDown = true;
  const away = new BusyQueues((text, values) => {
    if (isDown) return Promise.reject(new Error('away'));
    return client.query(text, values);
  });
  await expect(away.isBusy('payments.tidy', LOCK_MS)).rejects.toThrow('away');
  isDown = false;
  expect(await away.isBusy('payments.tidy', LOCK_MS)).toBe(false);
});
