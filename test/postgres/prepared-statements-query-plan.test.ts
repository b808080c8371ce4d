import { expect, inject, test } from 'vitest';
import { connectDb, type PreparedStatement, runPrepared } from '../../src/db/db.ts';
import { cloneDatabase } from '../support/postgres.ts';

const ROWS = 3_000;
const INSERT: PreparedStatement = {
  name: 'test.insert',
  text: `INSERT INTO "Row" VALUES ($1, repeat('x', 200))`,
};
const FIND: PreparedStatement = { name: 'test.find', text: 'SELECT "id" FROM "Row" WHERE "id" = $1' };

test('a query plan for an empty table does not scan it when it has grown', async () => {
  await using closing = new AsyncDisposableStack();
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  closing.defer(() => database.drop());
  const db = connectDb(database.url, { connections: 1 });
  closing.defer(() => db.$disconnect());
  // The statistics never change, as in the minute before PostgreSQL collects them.
  await db.$executeRaw`CREATE TABLE "Row" ("id" text PRIMARY KEY, "text" text) WITH (autovacuum_enabled = false)`;
  await db.$executeRaw`VACUUM ANALYZE "Row"`;
  for (let id = 1; id <= ROWS; id += 1) {
    await runPrepared(db, INSERT, [`${id}`]);
    expect(await runPrepared(db, FIND, [`${id}`])).toEqual([{ id: `${id}` }]);
  }
  await db.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const [read] = await db.$queryRaw<{ scanned: number; found: number }[]>`
    SELECT "seq_tup_read"::int AS "scanned", "idx_tup_fetch"::int AS "found"
    FROM pg_stat_user_tables WHERE "relname" = 'Row'`;
  expect(read?.found).toBeGreaterThan(ROWS / 2);
  // A scan of every row by each statement would read 4.5 million.
  expect(read?.scanned).toBeLessThan(ROWS * 50);
});
