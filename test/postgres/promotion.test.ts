/** A standby that lacks the newest rows becomes the primary. */
import { expect, it } from 'vitest';
import { connectDb } from '../../src/db/db.ts';
import { sqlStateOf } from '../../src/db/sql-state.ts';
import { chainWasRead } from '../../src/db/timeline.ts';
import { startPostgresPair } from '../../tools/postgres-pair.ts';

it('begins a timeline for a connected process, and gives no session before', async () => {
  await using closing = new AsyncDisposableStack();
  const pair = await startPostgresPair(closing, { isSynchronous: false });
  const db = connectDb(pair.url);
  closing.defer(() => db.$disconnect());
  const timelines = () =>
    db.databaseTimeline.findMany({ where: { environment: 'TEST' }, orderBy: { number: 'asc' } });
  const known = new Date('2026-01-02T00:00:00Z');
  await db.streamPosition.create({ data: { environment: 'TEST', slot: 5n, updatedAt: known } });
  await pair.caughtUp();
  pair.pauseStandby();
  await db.streamPosition.update({ where: { environment: 'TEST' }, data: { slot: 9n } });
  expect(await timelines()).toMatchObject([{ number: 1 }]);

  const standby = connectDb(pair.standbyUrl);
  closing.defer(() => standby.$disconnect());
  const refusal = await standby.$queryRaw`SELECT 1`.catch((error: unknown) => error);
  expect(sqlStateOf(refusal)).toBe('25006');

  await pair.killPrimary();
  await pair.promote();
  expect(await db.streamPosition.findMany().catch(() => db.streamPosition.findMany())).toMatchObject([
    { slot: 5n, epoch: 1_000n },
  ]);
  expect(await timelines()).toMatchObject([{ number: 1 }, { lostFrom: known, fromSlot: 5n, readAt: null }]);
  expect(await chainWasRead(db, 'TEST')).toBe(false);
});

it('ends what runs on a silent primary when a connection finds the promoted one', async () => {
  await using closing = new AsyncDisposableStack();
  const pair = await startPostgresPair(closing, { isSynchronous: true });
  // Longer than the test: only the promotion may end the statements.
  const db = connectDb(pair.url, { answerMs: 10 * 60_000, connections: 3 });
  closing.defer(() => db.$disconnect());
  const merchant = { companyName: 'Acme', walletAddress: 'wallet' };
  const begun = Promise.withResolvers<void>();
  const promoted = Promise.withResolvers<void>();
  const transaction = db.$transaction(
    async (tx) => {
      await tx.merchant.create({ data: merchant });
      begun.resolve();
      await promoted.promise;
      return tx.merchant.count();
    },
    { timeout: 10 * 60_000 },
  );
  const statement = db.$queryRaw`SELECT 1 FROM pg_sleep(600)`;
  const lost = Promise.allSettled([transaction, statement]);
  await begun.promise;
  pair.silencePrimary();
  await pair.promote();
  expect(await db.merchant.count()).toBe(0);
  promoted.resolve();
  expect(await lost).toMatchObject([
    { status: 'rejected' },
    { status: 'rejected', reason: { message: expect.stringContaining('Another primary has taken over') } },
  ]);
  expect(await db.merchant.count()).toBe(0);
});
