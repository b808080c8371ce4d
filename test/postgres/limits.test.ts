import { randomUUID } from 'node:crypto';
import { expect, inject, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { connectDb, runPrepared } from '../../src/db/db.ts';
import { tookTooLong } from '../../src/db/took-too-long.ts';
import { expireSessions } from '../../src/domain/checkout/expire-sessions.ts';
import { testContext } from '../jobs/context.ts';
import { cloneDatabase } from '../support/postgres.ts';

it('statements of the API may take 10 seconds, those of the other roles have no limit', async () => {
  await using closing = new AsyncDisposableStack();
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  closing.defer(() => database.drop());
  const { config, close } = testContext({ databaseUrl: database.url });
  closing.defer(close);
  const timeouts = [];
  for (const role of ['api', 'worker', undefined] as const) {
    const app = await createApp(config, role);
    closing.defer(() => app.close());
    timeouts.push(await app.ctx.db.$queryRaw`SHOW statement_timeout`);
  }
  expect(timeouts).toEqual(['10s', '0', '0'].map((statement_timeout) => [{ statement_timeout }]));
});

it('a statement that takes longer is cancelled, and its connection serves the next one', async () => {
  await using closing = new AsyncDisposableStack();
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  closing.defer(() => database.drop());
  const db = connectDb(database.url, { connections: 1, statementMs: 50 });
  closing.defer(() => db.$disconnect());
  await expect(db.$queryRaw`SELECT 1 FROM pg_sleep(60)`).rejects.toThrow(/statement timeout/);
  expect(await db.$queryRaw`SELECT 1 AS "one"`).toEqual([{ one: 1 }]);
});

it('a transaction waits longer than 2 seconds for a connection, and may take longer than 5', async () => {
  await using closing = new AsyncDisposableStack();
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  closing.defer(() => database.drop());
  const db = connectDb(database.url, { connections: 1 });
  closing.defer(() => db.$disconnect());
  const holding = db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM pg_sleep(5.5)`;
    return tx.$queryRaw`SELECT 1 AS "one"`;
  });
  const waiting = db.$transaction((tx) => tx.$queryRaw`SELECT 1 AS "one"`);
  expect(await Promise.all([holding, waiting])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
});

it('work that waited too long, for whatever, is told apart from other failures', async () => {
  await using closing = new AsyncDisposableStack();
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  closing.defer(() => database.drop());
  const connect = (limits: Parameters<typeof connectDb>[1]) => {
    const db = connectDb(database.url, limits);
    closing.defer(() => db.$disconnect());
    return db;
  };
  const hasWaited = (work: Promise<unknown>) => work.then(() => 'done', tookTooLong);
  const db = connect({ statementMs: 100 });
  const sleep = { name: 'sleep', text: 'SELECT 1 FROM pg_sleep($1)' };
  expect(await hasWaited(runPrepared(db, sleep, [60]))).toBe(true);
  expect(await hasWaited(db.$queryRaw`SELECT 1 FROM pg_sleep(60)`)).toBe(true);
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE "Merchant" IN EXCLUSIVE MODE`;
    expect(await hasWaited(db.merchant.updateMany({ data: { companyName: 'Acme' } }))).toBe(true);
  });
  const long = db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM pg_sleep(0.05)`;
      await tx.$queryRaw`SELECT 1`;
    },
    { timeout: 10 },
  );
  expect(await hasWaited(long)).toBe(true);

  const full = connect({ connections: 1, connectMs: 100 });
  const holding = runPrepared(full, sleep, [1]);
  expect(await hasWaited(full.merchant.count())).toBe(true);
  expect(await hasWaited(full.$transaction((tx) => tx.merchant.count()))).toBe(true);
  expect(await hasWaited(full.$transaction((tx) => tx.merchant.count(), { maxWait: 10 }))).toBe(true);
  await holding;
  expect(await hasWaited(full.$queryRaw`SELECT 1 / 0`)).toBe(false);
  expect(await hasWaited(full.merchant.count())).toBe('done');
});

it('expired idempotency keys are removed, however many, and the others kept', async () => {
  await using closing = new AsyncDisposableStack();
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  closing.defer(() => database.drop());
  const ctx = testContext({ databaseUrl: database.url });
  closing.defer(() => ctx.close());
  const now = ctx.clock.now();
  const key = (at: Date) => ({
    ...{ merchantId: randomUUID(), environment: 'TEST' as const, key: randomUUID(), sessionId: 'cs_1' },
    ...{ fingerprint: Buffer.alloc(32), expiresAt: at },
  });
  const over = Array.from({ length: 1_201 }, () => key(now));
  const open = key(new Date(now.getTime() + 1));
  await ctx.db.idempotencyKey.createMany({ data: [...over, open] });
  await expireSessions(ctx);
  expect((await ctx.db.idempotencyKey.findMany()).map(({ key }) => key)).toEqual([open.key]);
});
