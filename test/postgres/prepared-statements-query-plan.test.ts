import { expect, inject, test } from 'vitest';
import { connectDb, type Db, type DbLimits, type PreparedStatement, runPrepared } from '../../src/db/db.ts';
import { PREPARED } from '../../src/db/prepared.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { cloneDatabase } from '../support/postgres.ts';

const ROWS = 3_000;
const INSERT: PreparedStatement = {
  name: 'test.insert',
  text: `INSERT INTO "Row" VALUES ($1, repeat('x', 200))`,
};
const FIND: PreparedStatement = { name: 'test.find', text: 'SELECT "id" FROM "Row" WHERE "id" = $1' };

/** A client with one connection, to a database of its own. */
async function connect(closing: AsyncDisposableStack, limits: DbLimits = {}): Promise<Db> {
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  closing.defer(() => database.drop());
  const db = connectDb(database.url, { connections: 1, ...limits });
  closing.defer(() => db.$disconnect());
  return db;
}

test.each([
  ['', (db: Db, id: string) => runPrepared(db, FIND, [id])],
  [' of Prisma', (db: Db, id: string) => db.$queryRaw`${PREPARED}SELECT "id" FROM "Row" WHERE "id" = ${id}`],
])('a query plan%s for an empty table does not scan it when it has grown', async (_, find) => {
  await using closing = new AsyncDisposableStack();
  const db = await connect(closing);
  // The statistics never change, as in the minute before PostgreSQL collects them.
  await db.$executeRaw`CREATE TABLE "Row" ("id" text PRIMARY KEY, "text" text) WITH (autovacuum_enabled = false)`;
  await db.$executeRaw`VACUUM ANALYZE "Row"`;
  for (let id = 1; id <= ROWS; id += 1) {
    await runPrepared(db, INSERT, [`${id}`]);
    expect(await find(db, `${id}`)).toEqual([{ id: `${id}` }]);
  }
  await db.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const [read] = await db.$queryRaw<{ scanned: number; found: number }[]>`
    SELECT "seq_tup_read"::int AS "scanned", "idx_tup_fetch"::int AS "found"
    FROM pg_stat_user_tables WHERE "relname" = 'Row'`;
  expect(read?.found).toBeGreaterThan(ROWS / 2);
  // A scan of every row by each statement would read 4.5 million.
  expect(read?.scanned).toBeLessThan(ROWS * 50);
});

/** The texts that the connection has prepared. */
async function preparedTexts(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ statement: string }[]>`SELECT "statement" FROM pg_prepared_statements`;
  return rows.map(({ statement }) => statement);
}

test('a statement of Prisma is prepared if it says so, but not with a pooler', async () => {
  await using closing = new AsyncDisposableStack();
  const db = await connect(closing);
  const pooled = await connect(closing, { isPooled: true });
  for (const client of [db, pooled]) {
    expect(await client.$queryRaw`${PREPARED}SELECT ${7}::int AS "seven"`).toEqual([{ seven: 7 }]);
    await client.$transaction((tx) => tx.$executeRaw`${PREPARED}SELECT ${8}::int AS "seven"`);
    await client.$queryRaw`SELECT ${9}::int AS "nine"`;
  }
  expect(await preparedTexts(db)).toEqual([`${PREPARED.sql}SELECT $1::int AS "seven"`]);
  expect(await preparedTexts(pooled)).toEqual([]);
});

test('at most a hundred different texts of Prisma are prepared', async () => {
  await using closing = new AsyncDisposableStack();
  const db = await connect(closing);
  for (let number = 0; number < 120; number += 1) {
    expect(await db.$queryRaw`${PREPARED}SELECT ${Prisma.raw(`${number}`)} AS "number"`).toEqual([
      { number },
    ]);
  }
  // The tests before it in this process have prepared some already.
  const prepared = await preparedTexts(db);
  expect(prepared.length).toBeGreaterThan(50);
  expect(prepared.length).toBeLessThanOrEqual(100);
});
