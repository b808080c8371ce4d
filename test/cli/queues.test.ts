import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startWorkers } from '../../src/jobs/worker.ts';
import { DuesProcess, runDues } from '../../tools/world/dues-process.ts';
import { type TestContext, testContext } from '../jobs/context.ts';
import { type OpenStore, storesHere } from '../jobs/stores.ts';
import { SOON } from '../support/soon.ts';

describe.each(storesHere('dues queues'))('dues queues on $name', ({ open }) => {
  let store: OpenStore;
  let ctx: TestContext;
  let env: Record<string, string | undefined>;

  beforeAll(async () => {
    store = await open();
    ctx = testContext(store);
    env = { DATABASE_URL: store.databaseUrl, REDIS_URL: store.redisUrl };
  });
  afterAll(async () => {
    await ctx.close();
    await store.close();
  });

  const collect = (share: number) =>
    ctx.jobs.add('payments.collect', { environment: 'TEST', share }, { jobId: `share-${share}` });
  /** The row of a queue: name, state, next time, then the numbers. */
  const rowOf = (table: string, name: string) =>
    table
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(/ {2,}/);

  it('pauses a queue for all workers, shows its waiting jobs, and resumes it', async () => {
    const paused = await runDues(['queues', 'pause', 'payments.collect'], env);
    expect(paused).toMatchObject({
      code: 0,
      stderr: '',
      stdout: 'payments.collect is paused for all workers\n',
    });
    const shares: number[] = [];
    const workers = await startWorkers(ctx, {
      'payments.collect': async (_, { share }) => {
        shares.push(share);
      },
    });
    await Promise.all([collect(1), collect(2)]);
    const shown = await runDues(['queues'], env);
    expect(shown.code).toBe(0);
    expect(rowOf(shown.stdout, 'payments.collect')).toEqual([
      ...['payments.collect', 'paused', '-'],
      ...['2', '0', '0', '0', '0'],
    ]);
    expect(rowOf(shown.stdout, 'events.relay')?.[1]).toBe('running');
    expect(shares).toEqual([]);
    await runDues(['queues', 'resume', 'payments.collect'], env);
    await vi.waitFor(() => expect(shares.toSorted()).toEqual([1, 2]), SOON);
    await workers.close();
  });

  it('repeats the table with --watch until it is stopped', async () => {
    const watching = new DuesProcess(['queues', '--watch'], env);
    await watching.printed(/payments\.collect +running[\s\S]*payments\.collect +running/);
    const { code, stderr } = await watching.ended('SIGINT');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('names the queues if one is unknown, and changes nothing', async () => {
    const refused = await runDues(['queues', 'pause', 'payments'], env);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('Queues are jobs.schedule, payments.collect, ');
    expect(refused.stdout).toBe('');
  });
});

it('reports in one line that the job store cannot be reached', async () => {
  const env = { DATABASE_URL: 'postgresql://127.0.0.1:1/dues', REDIS_URL: 'redis://127.0.0.1:1' };
  for (const [missing, message] of [
    ['REDIS_URL', /^dues queues: .*DATABASE_URL/],
    ['', /^dues queues: .*REDIS_URL/],
  ] as const) {
    const { code, stderr } = await runDues(['queues'], { ...env, ...(missing && { [missing]: undefined }) });
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(message);
  }
});
