import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it, vi } from 'vitest';
import { BusyQueues } from '../../src/jobs/busy-queues.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { type TestContext, testContext } from './context.ts';

const LOOK_EVERY_MS = 15_000;

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let ctx: TestContext;
let client: Client;
let looks: number;
let queues: BusyQueues;

beforeAll(async () => {
  database = await cloneDatabase(inject('templateDatabaseUrl'));
  ctx = testContext({ databaseUrl: database.url });
  // The tables are created with the first job.
  await vi.waitFor(() => ctx.jobs.add('payments.tidy', {}), 20_000);
  client = new Client({ connectionString: database.url, options: '-c search_path=bullmq' });
  await client.connect();
  await client.query('TRUNCATE job CASCADE');
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  looks = 0;
  queues = new BusyQueues((text, values) => {
    looks += 1;
    return client.query(text, values);
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await client.query('TRUNCATE job CASCADE');
});
afterAll(async () => {
  await client.end();
  await ctx.close();
  await database.drop();
});

const NAMES = ['transactions.follow', 'payments.tidy', 'webhooks.deliver'] as const;
/** The busy queues, read some time after the last read. */
const busy = async () => {
  vi.advanceTimersByTime(LOOK_EVERY_MS);
  const answers: string[] = [];
  for (const name of NAMES) if (await queues.isBusy(name)) answers.push(name);
  return answers;
};

it('queues count as busy until their contents are known, and one read serves all callers', async () => {
  // The read was for the first queue; the others were not known.
  expect(await busy()).toEqual(NAMES.slice(1));
  expect(looks).toBe(1);
  expect(await busy()).toEqual([]);
  for (let asked = 0; asked < 10; asked++) await queues.isBusy('transactions.follow');
  expect(looks).toBe(2);
});

it('queues with a job that waits, runs or soon will are busy', async () => {
  await busy();
  await ctx.jobs.add('payments.tidy', {});
  await ctx.jobs.add('transactions.follow', {}, { delayMs: 10_000 });
  await ctx.jobs.add('webhooks.deliver', { endpointId: crypto.randomUUID() }, { delayMs: 60_000 });
  expect(await busy()).toEqual(['transactions.follow', 'payments.tidy']);
  await client.query(`UPDATE job SET state = 'active'`);
  expect(await busy()).toEqual(NAMES);
});

it('a queue marked as busy is busy at once, until the next read', async () => {
  await busy();
  await busy();
  queues.notice('payments.tidy');
  expect(await queues.isBusy('payments.tidy')).toBe(true);
  expect(await queues.isBusy('webhooks.deliver')).toBe(false);
  expect(await busy()).toEqual([]);
});

it('a mark during a read outlives the read', async () => {
  await busy();
  const slow = new BusyQueues(async (text, values) => {
    const answer = await client.query(text, values);
    slow.notice('payments.tidy');
    return answer;
  });
  await slow.isBusy('payments.tidy');
  vi.advanceTimersByTime(LOOK_EVERY_MS);
  expect(await slow.isBusy('payments.tidy')).toBe(true);
});

it('a store that does not answer is asked again', async () => {
  let isAway = true;
  const away = new BusyQueues((text, values) => {
    if (isAway) return Promise.reject(new Error('away'));
    return client.query(text, values);
  });
  await expect(away.isBusy('payments.tidy')).rejects.toThrow('away');
  isAway = false;
  expect(await away.isBusy('payments.tidy')).toBe(false);
});
