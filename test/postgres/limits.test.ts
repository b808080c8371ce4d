import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, inject, it, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { TRUSTED_IDLE_MS } from '../../src/db/bounded-connection.ts';
import { connectDb, runPrepared, shortenRunningWaits, shortenWaits } from '../../src/db/db.ts';
import { tookTooLong } from '../../src/db/took-too-long.ts';
import { expireSessions } from '../../src/domain/checkout/session/expire-sessions.ts';
import { settleSponsored } from '../../src/domain/checkout/sponsoring/settle-sponsored.ts';
import { upkeepWaiting } from '../../src/domain/maintenance/upkeep/upkeep-waiting.ts';
import { SilentProxy } from '../../tools/silent-proxy.ts';
import { testContext } from '../jobs/context.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { SOON } from '../support/soon.ts';

const database = await sharedByFile(cloneDatabase(inject('templateDatabaseUrl')));

it('statements of the API may take 10 seconds, of other roles 30', async () => {
  await using closing = new AsyncDisposableStack();
  const { config, close } = testContext({ databaseUrl: database.url });
  closing.defer(close);
  const timeouts = [];
  for (const role of ['api', 'worker', 'indexer', undefined] as const) {
    const app = await createApp(config, role);
    closing.defer(() => app.close());
    timeouts.push(await app.ctx.db.$queryRaw`SHOW statement_timeout`);
  }
  expect(timeouts).toEqual(['10s', '30s', '30s', '0'].map((statement_timeout) => [{ statement_timeout }]));
});

it('a statement that takes longer is cancelled, and its connection is kept', async () => {
  await using closing = new AsyncDisposableStack();
  const db = connectDb(database.url, { connections: 1, statementMs: 1_000 });
  closing.defer(() => db.$disconnect());
  await expect(db.$queryRaw`SELECT 1 FROM pg_sleep(60)`).rejects.toThrow(/statement timeout/);
  expect(await db.$queryRaw`SELECT 1 AS "one"`).toEqual([{ one: 1 }]);
});

it('a transaction may wait 2 seconds for a connection, and take 5', async () => {
  await using closing = new AsyncDisposableStack();
  const db = connectDb(database.url, { connections: 1 });
  closing.defer(() => db.$disconnect());
  const holding = db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM pg_sleep(5.5)`;
    return tx.$queryRaw`SELECT 1 AS "one"`;
  });
  const waiting = db.$transaction((tx) => tx.$queryRaw`SELECT 1 AS "one"`);
  expect(await Promise.all([holding, waiting])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
});

it('connections that the network has lost are replaced, whatever they waited for', async () => {
  await using closing = new AsyncDisposableStack();
  const proxy = await SilentProxy.start(Number(new URL(database.url).port));
  closing.defer(() => proxy.close());
  const db = connectDb(proxy.urlOf(database.url), { connections: 3, answerMs: 1_000 });
  closing.defer(() => db.$disconnect());
  const began = Promise.withResolvers<void>();
  const silenced = Promise.withResolvers<void>();
  const transaction = db.$transaction(async (tx) => {
    await tx.merchant.count();
    began.resolve();
    await silenced.promise;
    return tx.merchant.count();
  });
  await Promise.all([db.merchant.count(), db.merchant.count(), began.promise]);
  proxy.silence();
  silenced.resolve();
  const statement = { name: 'limits.test', text: 'SELECT 1' };
  const lost = [transaction, db.merchant.count(), runPrepared(db, statement, [])];
  expect(await Promise.allSettled(lost)).toMatchObject(lost.map(() => ({ status: 'rejected' })));
  proxy.serve();
  const works = [
    ...Array.from({ length: 5 }, () => () => db.merchant.count()),
    () => db.$transaction((tx) => tx.merchant.count()),
  ];
  // On a busy machine a new connection may take longer than the limit of an answer.
  await vi.waitFor(
    async () => expect(await Promise.all(works.map((work) => work()))).toEqual(works.map(() => 0)),
    SOON,
  );
});

it('no query is lost on a connection whose network fell silent while it was idle', async () => {
  await using closing = new AsyncDisposableStack();
  const proxy = await SilentProxy.start(Number(new URL(database.url).port));
  closing.defer(() => proxy.close());
  // Longer than all checks of the connections together, and than a query on a busy machine.
  const db = connectDb(proxy.urlOf(database.url), { connections: 4, answerMs: 60_000 });
  closing.defer(() => db.$disconnect());
  vi.useFakeTimers({ toFake: ['performance'] });
  closing.defer(() => void vi.useRealTimers());
  const queries = () =>
    Promise.all(Array.from({ length: 4 }, () => db.$queryRaw`SELECT 1 FROM pg_sleep(0.2)`));
  await queries();
  proxy.silence();
  proxy.serve();
  vi.advanceTimersByTime(TRUSTED_IDLE_MS + 1);
  const lost = proxy.accepted;
  await db.merchant.count();
  // The first query has replaced all of them.
  await queries();
  expect([lost, proxy.accepted]).toEqual([4, 8]);
});

it('a running wait ends soon once the network is in doubt, and a later one does not', async () => {
  await using closing = new AsyncDisposableStack();
  const connect = () => {
    const db = connectDb(database.url, { connections: 1 });
    closing.defer(() => db.$disconnect());
    return db;
  };
  const [observer, lost, kept] = [connect(), connect(), connect()];
  const waits = async (seconds: number) => {
    const running = observer.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE query LIKE ${`%pg_sleep(${seconds})`} AND wait_event = 'PgSleep'`;
    expect(await running).toHaveLength(1);
  };
  // A query of Prisma begins when something waits for it.
  const outcome = Promise.allSettled([lost.$queryRaw`SELECT 1 FROM pg_sleep(20)`]);
  const answered = kept.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM pg_sleep(3)`;
    await tx.$queryRaw`SELECT 1 FROM pg_sleep(5.5)`;
  });
  await vi.waitFor(() => Promise.all([waits(20), waits(3)]), SOON);
  for (const db of [lost, kept]) shortenRunningWaits(db);
  const [[outcomeOfLost]] = await Promise.all([outcome, answered]);
  expect(outcomeOfLost).toMatchObject({ reason: { message: expect.stringContaining('within 5000 ms') } });
});

it('a process that stops in a silent network waits for one answer only', async () => {
  await using closing = new AsyncDisposableStack();
  const proxy = await SilentProxy.start(Number(new URL(database.url).port));
  closing.defer(() => proxy.close());
  const db = connectDb(proxy.urlOf(database.url), { connections: 1 });
  await db.merchant.count();
  proxy.silence();
  const lost = Array.from({ length: 20 }, () => db.merchant.count());
  shortenWaits(db);
  expect(await Promise.allSettled(lost)).toMatchObject(lost.map(() => ({ status: 'rejected' })));
  await expect(db.$transaction((tx) => tx.merchant.count())).rejects.toThrow();
  // Each attempt to connect would take five seconds.
  expect(proxy.accepted).toBe(1);
  await db.$disconnect();
});

it('PostgreSQL closes sessions of a process that the network has lost', async () => {
  await using closing = new AsyncDisposableStack();
  const url = new URL(database.url);
  url.searchParams.set('options', '-c work_mem=5MB');
  const db = connectDb(url.href);
  closing.defer(() => db.$disconnect());
  const names = [
    'idle_session_timeout',
    'idle_in_transaction_session_timeout',
    'tcp_keepalives_idle',
    'tcp_keepalives_interval',
    'tcp_keepalives_count',
    'work_mem',
  ];
  expect(
    await db.$queryRaw`SELECT name, current_setting(name) AS value FROM unnest(${names}::text[]) AS name`,
  ).toEqual([
    { name: 'idle_session_timeout', value: '10min' },
    { name: 'idle_in_transaction_session_timeout', value: '30s' },
    { name: 'tcp_keepalives_idle', value: '30' },
    { name: 'tcp_keepalives_interval', value: '10' },
    { name: 'tcp_keepalives_count', value: '3' },
    { name: 'work_mem', value: '5MB' },
  ]);
});

it('work that waited too long is distinguished from other failures', async () => {
  await using closing = new AsyncDisposableStack();
  const connect = (limits: Parameters<typeof connectDb>[1]) => {
    const db = connectDb(database.url, limits);
    closing.defer(() => db.$disconnect());
    return db;
  };
  const checkWaited = (work: Promise<unknown>) => work.then(() => 'done', tookTooLong);
  const db = connect({ statementMs: 100 });
  const sleep = { name: 'sleep', text: 'SELECT 1 FROM pg_sleep($1)' };
  expect(await checkWaited(runPrepared(db, sleep, [60]))).toBe(true);
  expect(await checkWaited(db.$queryRaw`SELECT 1 FROM pg_sleep(60)`)).toBe(true);
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE "Merchant" IN EXCLUSIVE MODE`;
    expect(await checkWaited(db.merchant.updateMany({ data: { companyName: 'Acme' } }))).toBe(true);
  });
  const long = db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM pg_sleep(0.05)`;
      await tx.$queryRaw`SELECT 1`;
    },
    { timeout: 10 },
  );
  expect(await checkWaited(long)).toBe(true);

  // Long enough for a busy machine to open a connection.
  const full = connect({ connections: 1, connectMs: 1_000 });
  await full.merchant.count();
  const holding = runPrepared(full, sleep, [3]);
  const waiting = [
    full.merchant.count(),
    full.$transaction((tx) => tx.merchant.count()),
    full.$transaction((tx) => tx.merchant.count(), { maxWait: 10 }),
  ];
  expect(await Promise.all(waiting.map(checkWaited))).toEqual([true, true, true]);
  await holding;

  // A server that accepts connections and never answers, like an overloaded one.
  const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  closing.defer(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const silentDb = connectDb(`postgresql://dues@127.0.0.1:${port}/dues`, { connectMs: 100 });
  closing.defer(() => silentDb.$disconnect());
  expect(await checkWaited(silentDb.merchant.count())).toBe(true);
  expect(await checkWaited(silentDb.$transaction((tx) => tx.merchant.count()))).toBe(true);
  expect(await checkWaited(full.$queryRaw`SELECT 1 / 0`)).toBe(false);
  expect(await checkWaited(full.merchant.count())).toBe('done');
});

it('all expired idempotency keys are removed, and the others are kept', async () => {
  await using closing = new AsyncDisposableStack();
  const ctx = testContext({ databaseUrl: database.url });
  closing.defer(() => ctx.close());
  const now = ctx.clock.now();
  const createKey = (at: Date) => ({
    merchantId: randomUUID(),
    environment: 'TEST' as const,
    key: randomUUID(),
    sessionId: 'cs_1',
    fingerprint: Buffer.alloc(32),
    expiresAt: at,
  });
  const expired = Array.from({ length: 1_201 }, () => createKey(now));
  const valid = createKey(new Date(now.getTime() + 1));
  await ctx.db.idempotencyKey.createMany({ data: [...expired, valid] });
  await expireSessions(ctx);
  expect((await ctx.db.idempotencyKey.findMany()).map(({ key }) => key)).toEqual([valid.key]);
});

it('deletes a transaction that was not signed for a day, without other work', async () => {
  await using closing = new AsyncDisposableStack();
  const ctx = testContext({ databaseUrl: database.url });
  closing.defer(() => ctx.close());
  const merchant = await ctx.db.merchant.create({ data: { companyName: 'Acme', walletAddress: 'merchant' } });
  const createdAt = ctx.clock.now();
  await ctx.db.sponsoredTransaction.create({
    data: {
      merchantId: merchant.id,
      environment: 'TEST',
      planId: randomUUID(),
      sessionId: 'cs_1',
      walletAddress: 'wallet',
      collector: 'collector',
      lamports: 0n,
      lastValidBlockHeight: 1n,
      callerHash: Buffer.alloc(32),
      status: 'EXPIRED',
      createdAt,
    },
  });
  const isWaiting = async (now: number) =>
    (await upkeepWaiting({ ...ctx, clock: { now: () => new Date(now) } }))['payments.tidy'];
  const DAY_MS = 86_400_000;
  expect(await isWaiting(createdAt.getTime() + DAY_MS - 1)).toBe(false);
  expect(await isWaiting(createdAt.getTime() + DAY_MS)).toBe(true);
  await settleSponsored({ ...ctx, clock: { now: () => new Date(createdAt.getTime() + DAY_MS) } }, 'TEST');
  expect(await ctx.db.sponsoredTransaction.count()).toBe(0);
});
