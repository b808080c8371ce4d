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

/** Stores a position, as an indexer does. Without one an environment has nothing to read. */
const follow = (db: Db) =>
  db.streamPosition.create({
    data: { environment: 'TEST', slot: 5n, updatedAt: new Date('2026-01-02'), epoch: 7n },
  });

/** Makes the rows those of another server. */
const pretend = (db: Db) => db.databaseTimeline.updateMany({ data: { identity: '1/00000001' } });

const timelines = (db: Db) =>
  db.databaseTimeline.findMany({ where: { environment: 'TEST' }, orderBy: { number: 'asc' } });

it('the first timeline begins with the first connection, and nothing was lost', async () => {
  const { db, url } = await newDatabase();
  await connectAgain(url);
  expect(await timelines(db)).toMatchObject([
    { number: 1, identity: expect.stringMatching(/^\d+\/[0-9A-F]{8}\/\d+$/), lostFrom: null },
  ]);
  expect(await chainWasRead(db, 'TEST')).toBe(true);
  expect(await chainWasRead(db, 'LIVE')).toBe(true);
});

it('another server begins the next one, once for all connections', async () => {
  const { db, url } = await newDatabase();
  await follow(db);
  await pretend(db);
  await Promise.all(Array.from({ length: 8 }, () => connectAgain(url)));
  expect(await timelines(db)).toMatchObject([
    { number: 1, identity: '1/00000001' },
    { lostFrom: new Date('2026-01-02'), fromSlot: 5n, lostUntil: null, slot: null, readAt: null },
  ]);
  expect(await chainWasRead(db, 'TEST')).toBe(false);
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

it('a backup that is restored into another database of the same server begins one', async () => {
  const { db, url } = await newDatabase();
  await follow(db);
  await db.$disconnect();
  const copy = await cloneDatabase(url);
  const restored = connectDb(copy.url);
  onTestFinished(async () => {
    await restored.$disconnect();
    await copy.drop();
  });
  expect(await chainWasRead(restored, 'TEST')).toBe(false);
  expect(await timelines(restored)).toHaveLength(2);
});

it('the same backup, restored again later, has a higher number', async () => {
  const { db, url } = await newDatabase();
  await follow(db);
  await pretend(db);
  await connectAgain(url);
  const [, second] = await timelines(db);
  const tenMinutes = (Date.now() - Date.parse('2026-01-01T00:00:00Z')) / 600_000;
  expect(Math.abs((second?.number ?? 0) - tenMinutes)).toBeLessThanOrEqual(1);
});

it('a server that first hides its identity, and later shows it, is the same one', async () => {
  const { db, url } = await newDatabase();
  await follow(db);
  await db.databaseTimeline.updateMany({ data: { identity: 'unknown' } });
  expect(await chainWasRead(db, 'TEST')).toBe(true);
  await connectAgain(url);
  expect(await timelines(db)).toMatchObject([{ number: 1, identity: expect.stringContaining('/') }]);
});
