import { expect, inject, it, onTestFinished } from 'vitest';
import { connectDb, type Db } from '../../src/db/db.ts';
import { chainWasRead } from '../../src/db/timeline.ts';
import { cloneDatabase } from '../support/postgres.ts';

async function newDatabase(): Promise<{ readonly db: Db; readonly url: string }> {
  const { url, drop } = await cloneDatabase(inject('templateDatabaseUrl'));
  const db = connectDb(url);
  onTestFinished(async () => {
    await db.$disconnect();
    await drop();
  });
  return { db, url };
}

/** Connects as processes do after a failover, and disconnects. */
async function connectAgain(url: string): Promise<void> {
  const db = connectDb(url);
  await db.$queryRaw`SELECT 1`;
  await db.$disconnect();
}

/** Makes the rows those of another server. */
const pretend = (db: Db) => db.databaseTimeline.updateMany({ data: { identity: '1/00000001' } });

const timelines = (db: Db) =>
  db.databaseTimeline.findMany({ where: { environment: 'TEST' }, orderBy: { number: 'asc' } });

it('the first timeline begins with the first connection, and nothing was lost', async () => {
  const { db, url } = await newDatabase();
  await connectAgain(url);
  expect(await timelines(db)).toMatchObject([
    { number: 1, identity: expect.stringMatching(/^\d+\/[0-9A-F]{8}$/), lostFrom: null },
  ]);
  expect(await chainWasRead(db, 'TEST')).toBe(true);
  expect(await chainWasRead(db, 'LIVE')).toBe(true);
});

it('another server begins the next one, once for all connections', async () => {
  const { db, url } = await newDatabase();
  await db.streamPosition.create({
    data: { environment: 'TEST', slot: 5n, updatedAt: new Date('2026-01-02'), epoch: 7n },
  });
  await pretend(db);
  await Promise.all(Array.from({ length: 8 }, () => connectAgain(url)));
  expect(await timelines(db)).toMatchObject([
    { number: 1, identity: '1/00000001' },
    { number: 2, lostFrom: new Date('2026-01-02'), lostUntil: null, slot: null, readAt: null },
  ]);
  expect(await chainWasRead(db, 'TEST')).toBe(false);
  expect(await chainWasRead(db, 'LIVE')).toBe(false);
  expect((await db.streamPosition.findUniqueOrThrow({ where: { environment: 'TEST' } })).epoch).toBe(1_007n);
});

it('a connection from before notices too that nothing may be collected', async () => {
  const { db } = await newDatabase();
  await db.$queryRaw`SELECT 1`;
  await pretend(db);
  expect(await chainWasRead(db, 'TEST')).toBe(false);
});

it('a session that cannot write is let in, and leaves the timeline to others', async () => {
  const { db, url } = await newDatabase();
  await db.$queryRaw`SELECT 1`;
  await pretend(db);
  const readOnly = new URL(url);
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  await connectAgain(readOnly.href);
  expect(await timelines(db)).toHaveLength(1);
});
