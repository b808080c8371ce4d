import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { MIGRATIONS_FOLDER } from '../../src/postgres/migrations.ts';
import { LOCK_PATIENCE, OUTSIDE_A_TRANSACTION, runScript } from '../../src/postgres/run-script.ts';
import { applyMigrations } from '../../src/postgres/schema-engine.ts';
import { cloneDatabase, type TestDatabase } from '../support/postgres.ts';
import { SOON } from '../support/soon.ts';

/** The migration applied here: it adds a column to a table that all processes use. */
const MIGRATION = '20261122011500_trial_once';
const SHORT_WAITS = { lockMs: 50, attempts: 3, pauseMs: 20 };

let database: TestDatabase;
let other: Client;
beforeEach(async () => {
  database = await cloneDatabase(inject('templateDatabaseUrl'));
  other = new Client({ connectionString: database.url });
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await database.drop();
});

describe('dues migrate, while another session uses the table', () => {
  beforeEach(async () => {
    await other.query('DELETE FROM "_prisma_migrations" WHERE "migration_name" = $1', [MIGRATION]);
    await other.query('ALTER TABLE "Subscription" DROP COLUMN "trialGranted"');
    await other.query('BEGIN');
    await other.query('SELECT FROM "Subscription"');
  });

  it('gives up after a while, names the session, and changes nothing', async () => {
    await expect(applyMigrations(database.url, SHORT_WAITS)).rejects.toThrow(
      /waits for a table that other sessions are using.*pid \d+ \(idle in transaction, \d+ s\).*Nothing was changed/,
    );
    await other.query('ROLLBACK');
    expect(await applyMigrations(database.url)).toEqual([MIGRATION]);
    expect(await applyMigrations(database.url)).toEqual([]);
  });

  it('retries, and succeeds once the table is free', async () => {
    const messages: string[] = [];
    let unlocking: Promise<unknown> | undefined;
    const onWait = (message: string) => {
      messages.push(message);
      unlocking ??= other.query('ROLLBACK');
    };
    expect(await applyMigrations(database.url, { ...SHORT_WAITS, attempts: 100, onWait })).toEqual([
      MIGRATION,
    ]);
    await unlocking;
    expect(messages[0]).toContain('Retrying');
  });

  it('gives others access to the table between two attempts', async () => {
    const reader = new Client({ connectionString: database.url });
    await reader.connect();
    const readMs: number[] = [];
    const onWait = () => {
      const since = performance.now();
      void reader.query('SELECT FROM "Subscription"').then(() => readMs.push(performance.now() - since));
    };
    await expect(
      applyMigrations(database.url, { lockMs: 200, attempts: 3, pauseMs: 500, onWait }),
    ).rejects.toThrow('Nothing was changed');
    await reader.end();
    expect(readMs).toHaveLength(2);
  });
});

it('an index is built beside readers and writers, outside a transaction', async () => {
  await other.query('BEGIN');
  await other.query('LOCK TABLE "Subscription" IN ROW EXCLUSIVE MODE');
  const pool = new Pool({ connectionString: database.url });
  const building = runScript(
    pool,
    `${OUTSIDE_A_TRANSACTION}
-- An index that an interrupted build has left.
DROP INDEX CONCURRENTLY IF EXISTS "Extra";
CREATE INDEX CONCURRENTLY "Extra" ON "Subscription" ("failureCount");
`,
    LOCK_PATIENCE,
  );
  await other.query('UPDATE "Subscription" SET "failureCount" = 0');
  await other.query('COMMIT');
  await building;
  await pool.end();
  const { rows } = await other.query(
    `SELECT indisvalid FROM pg_index WHERE indexrelid = '"Extra"'::regclass`,
  );
  expect(rows).toEqual([{ indisvalid: true }]);
});

it('a change of a table outside a transaction gives up its lock too, and is retried', async () => {
  await other.query('BEGIN');
  await other.query('SELECT FROM "Subscription"');
  const pool = new Pool({ connectionString: database.url });
  const waits: string[] = [];
  let unlocking: Promise<unknown> | undefined;
  const onWait = (message: string) => {
    waits.push(message);
    unlocking ??= other.query('ROLLBACK');
  };
  const script = `${OUTSIDE_A_TRANSACTION}\nALTER TABLE "Subscription" ADD COLUMN IF NOT EXISTS "extra" int;\n`;
  await runScript(pool, script, { ...SHORT_WAITS, attempts: 100, onWait });
  await unlocking;
  await pool.end();
  expect(waits).not.toEqual([]);
});

it('a migration that was ended because of a deadlock is retried', async () => {
  await other.query(`SET deadlock_timeout = '60s'`);
  await other.query('BEGIN');
  await other.query('LOCK TABLE "Customer"');
  const messages: string[] = [];
  const pool = new Pool({ connectionString: database.url });
  const migrating = runScript(
    pool,
    `SET LOCAL deadlock_timeout = '500ms';
     LOCK TABLE "Plan"; LOCK TABLE "Customer"; CREATE TABLE "Extra" ();`,
    { lockMs: 30_000, attempts: 100, pauseMs: 20, onWait: (message) => messages.push(message) },
  );
  const watcher = new Client({ connectionString: database.url });
  await watcher.connect();
  await vi.waitFor(async () => {
    const { rowCount } = await watcher.query(
      `SELECT FROM pg_locks WHERE relation = '"Plan"'::regclass AND mode = 'AccessExclusiveLock' AND granted`,
    );
    expect(rowCount).toBe(1);
  }, SOON);
  await watcher.end();
  const crossed = other.query('LOCK TABLE "Plan"').then(() => other.query('ROLLBACK'));
  await migrating;
  await crossed;
  await pool.end();
  expect(messages[0]).toContain('Retrying');
  expect((await other.query(`SELECT to_regclass('"Extra"') AS "made"`)).rows).toEqual([{ made: '"Extra"' }]);
});

/** Older migrations were written before this rule. */
const RULE_SINCE = '20261122000000';

it('a migration changes an index of an existing table CONCURRENTLY', async () => {
  const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name >= RULE_SINCE);
  const wrong: string[] = [];
  for (const name of names) {
    const sql = await readFile(join(MIGRATIONS_FOLDER, name, 'migration.sql'), 'utf8').catch(() => '');
    wrong.push(...findLockingIndexes(sql).map((table) => `${name}: ${table}`));
  }
  expect(wrong).toEqual([]);
});

it('a migration first drops the index that it builds CONCURRENTLY', async () => {
  const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name >= RULE_SINCE);
  for (const name of names) {
    const sql = await readFile(join(MIGRATIONS_FOLDER, name, 'migration.sql'), 'utf8').catch(() => '');
    for (const [, index] of sql.matchAll(/CREATE (?:UNIQUE )?INDEX CONCURRENTLY "(\w+)"/g)) {
      const dropped = sql.indexOf(`DROP INDEX CONCURRENTLY IF EXISTS "${index}";`);
      expect(dropped, `${name}: ${index}`).toBeGreaterThan(0);
      expect(sql.indexOf(`INDEX CONCURRENTLY "${index}"`)).toBeGreaterThan(dropped);
    }
  }
});

it.each([
  ['CREATE INDEX "a" ON "Plan" ("name");', ['Plan']],
  ['DROP INDEX "a";', ['a']],
  ['DROP INDEX CONCURRENTLY IF EXISTS "a";', []],
  ['CREATE UNIQUE INDEX IF NOT EXISTS "a" ON "Plan" ("name");', ['Plan']],
  ['CREATE TABLE "New" ("id" INT);\nCREATE INDEX "a" ON "New" ("id");', []],
  ['CREATE INDEX CONCURRENTLY "a" ON "Plan" ("name");', []],
])('%s locks %j', (sql, tables) => {
  expect(findLockingIndexes(sql)).toEqual(tables);
});

/** Existing tables that an index build locks, and indexes whose removal locks their table. */
function findLockingIndexes(sql: string): string[] {
  const created = new Set(
    [...sql.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?"(\w+)"/g)].map(([, name]) => name),
  );
  const built = sql.matchAll(/CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)[^;]*? ON "(\w+)"/g);
  const dropped = sql.matchAll(/^DROP INDEX (?!CONCURRENTLY)(?:IF EXISTS )?"(\w+)"/gm);
  return [
    ...[...built].flatMap(([, table = '']) => (created.has(table) ? [] : [table])),
    ...[...dropped].map(([, index = '']) => index),
  ];
}
