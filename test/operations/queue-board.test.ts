import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { QueueBoardConfig } from '../../src/config/operations-config.ts';
import type { Role } from '../../src/config/role.ts';
import { GuessLimit, MAX_ADDRESSES, MAX_GUESSES_PER_ADDRESS } from '../../src/operations/guess-limit.ts';
import { type Operations, startOperations } from '../../src/operations/start-operations.ts';
import { type TestContext, testContext } from '../jobs/context.ts';
import { type OpenStore, storesHere } from '../jobs/stores.ts';

const LOGIN = { user: 'operator', password: 'a long enough password' };
const PLANNED = 'TEST-1799999999000-0';

it('counts the wrong logins of a bounded number of addresses for a minute', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const guesses = new GuessLimit();
  const guess = (address: string) => guesses.countWrongLogin(address) === undefined;
  const counted = (address: string, times: number) =>
    Array.from({ length: times }, () => guess(address)).filter(Boolean).length;
  for (const address of ['address 0', 'address 1']) {
    expect(counted(address, 3 * MAX_GUESSES_PER_ADDRESS)).toBe(MAX_GUESSES_PER_ADDRESS);
  }
  for (let n = 2; n < MAX_ADDRESSES; n++) expect(guess(`address ${n}`)).toBe(true);
  const further = Array.from({ length: 10 * MAX_ADDRESSES }, (_, n) => guess(`further ${n}`));
  expect(further.filter(Boolean)).toHaveLength(MAX_GUESSES_PER_ADDRESS);
  vi.advanceTimersByTime(60_000);
  expect(guess('address 0')).toBe(true);
});

describe.each(storesHere('the queue board'))('the queue board on $name', ({ open }) => {
  let store: OpenStore;
  const started: { ctx: TestContext; operations: Operations }[] = [];

  beforeAll(async () => {
    store = await open();
  });
  afterAll(async () => {
    for (const { ctx, operations } of started) {
      await operations.close();
      await ctx.close();
    }
    await store.close();
  });

  async function serve(queueBoard?: Partial<QueueBoardConfig>, roles: readonly Role[] = ['worker']) {
    const board = queueBoard && { ...LOGIN, allowsActions: false, ...queueBoard };
    const ctx = testContext({
      ...store,
      operations: { host: '127.0.0.1', port: 0, ...(board && { queueBoard: board }) },
    });
    const operations = await startOperations(ctx, roles);
    if (!operations) throw new Error('operations are not configured');
    started.push({ ctx, operations });
    await ctx.jobs.queues();
    const ask = async (path: string, { method = 'GET', login = LOGIN, headers = {} } = {}) => {
      const basic = Buffer.from(`${login.user}:${login.password}`).toString('base64');
      const origin = `http://127.0.0.1:${operations.port}`;
      const response = await fetch(`${origin}${path}`, {
        method,
        headers: { authorization: `Basic ${basic}`, origin, ...headers },
      });
      // An answer that is not read keeps its connection.
      const body = await response.arrayBuffer();
      return new Response(body.byteLength > 0 ? body : null, response);
    };
    return { ctx, ask };
  }
  const addJob = (ctx: TestContext) =>
    ctx.jobs.add('payments.collect', { environment: 'TEST', share: 0 }, { jobId: PLANNED });
  const countWaiting = async (ctx: TestContext) => {
    const found = await ctx.jobs.depths();
    return found.find(({ job, state }) => job === 'payments.collect' && state === 'waiting')?.count;
  };
  const actions = [
    ['PUT', `/queues/api/queues/payments.collect/${PLANNED}/clean`],
    ['PUT', '/queues/api/queues/payments.collect/pause'],
    ['PUT', '/queues/api/queues/payments.collect/empty'],
  ] as const;

  afterEach(() => store.wipe());

  it('is served only with a password and in the worker role', async () => {
    const [without, api] = [await serve(), await serve({}, ['api'])];
    expect((await without.ask('/queues')).status).toBe(404);
    expect((await api.ask('/queues')).status).toBe(404);
  });

  it('requires its login on every path', async () => {
    const { ask } = await serve({});
    for (const path of ['/queues', '/queues/', '/queues/api/queues', '/queues/static/favicon-32x32.png']) {
      const refused = await ask(path, { login: { user: 'operator', password: 'another password' } });
      expect([path, refused.status]).toEqual([path, 401]);
      expect(refused.headers.get('www-authenticate')).toContain('Basic');
    }
  });

  it('answers 429 to wrong logins beyond the limit, and always lets the right login in', async () => {
    const { ask } = await serve({});
    const wrong = { user: 'operator', password: 'another password' };
    const refused = await Promise.all(
      Array.from({ length: 3 * MAX_GUESSES_PER_ADDRESS }, () => ask('/queues', { login: wrong })),
    );
    const statuses = refused.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(MAX_GUESSES_PER_ADDRESS);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2 * MAX_GUESSES_PER_ADDRESS);
    const last = await ask('/queues', { login: { ...wrong, user: 'another' } });
    expect(last.status).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask('/queues')).status).toBe(200);
  });

  it('shows the page and the waiting jobs', async () => {
    const { ctx, ask } = await serve({});
    await addJob(ctx);
    const page = await (await ask('/queues')).text();
    expect(page).toContain('dues queues');
    const [, script = ''] = /src="([^"]+\.js)"/.exec(page) ?? [];
    expect((await ask(new URL(script, 'http://board/queues/').pathname)).status).toBe(200);
    const listed = await ask('/queues/api/queues?activeQueue=payments.collect&status=waiting&page=1');
    const { queues } = (await listed.json()) as {
      queues: { name: string; readOnlyMode: boolean; jobs: { id: string; data: unknown }[] }[];
    };
    const collect = queues.find(({ name }) => name === 'payments.collect');
    expect(collect).toMatchObject({
      readOnlyMode: true,
      jobs: [{ id: PLANNED, data: { environment: 'TEST', share: 0 } }],
    });
  });

  it.each(actions)('is read-only by default: %s %s is refused', async (method, path) => {
    const { ctx, ask } = await serve({});
    await addJob(ctx);
    expect((await ask(path, { method })).status).toBe(405);
    expect(await countWaiting(ctx)).toBe(1);
  });

  it('removes a job if actions are on, but not for another site', async () => {
    const { ctx, ask } = await serve({ allowsActions: true });
    await addJob(ctx);
    const [[method, path]] = actions;
    const foreign = await ask(path, { method, headers: { origin: 'https://elsewhere.example' } });
    expect(foreign.status).toBe(403);
    expect(await countWaiting(ctx)).toBe(1);
    expect((await ask(path, { method })).status).toBe(204);
    expect(await countWaiting(ctx)).toBe(0);
  });
});
