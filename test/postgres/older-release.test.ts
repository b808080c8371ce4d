import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { afterEach, expect, inject, it } from 'vitest';
import { MIGRATIONS_FOLDER, migrationNames } from '../../src/postgres/migrations.ts';
import { runScript } from '../../src/postgres/run-script.ts';
import { cloneDatabase, type TestDatabase } from '../support/postgres.ts';
import { createEmptyDatabase } from './databases.ts';

/** The migrations from this one on are applied while processes of release 0.1.0 run. */
const AFTER_0_1_0 = '20261122000000';
const OUTBOX = '20261122010500_outbox';
const ONE_ATTEMPT = { lockMs: 500, attempts: 1, pauseMs: 0 };
const FAILURE_REASONS = '20261122081600_filtered_lists';
/**
 * 12,012 payments, more than two batches. Every other one failed, and every third of those failed
 * twice, the second time without an approval.
 */
const FAILED_PAYMENTS = `
  SET session_replication_role = replica;
  INSERT INTO "Payment" ("id", "merchantId", "environment", "subscriptionId", "periodStart", "dueAt", "amount")
  SELECT md5(n::text)::uuid, gen_random_uuid(), 'TEST', gen_random_uuid(), n, now(), 1
  FROM generate_series(1, 12012) AS n;
  INSERT INTO "Attempt" ("id", "paymentId", "status", "failureCode", "createdAt", "settledAt")
  SELECT gen_random_uuid(), md5(n::text)::uuid, 'FAILED',
    (CASE WHEN a = 2 THEN 'APPROVAL_REVOKED' ELSE 'INSUFFICIENT_FUNDS' END)::"FailureCode", now() + a * interval '1 s', now()
  FROM generate_series(2, 12012, 2) AS n, generate_series(1, 2) AS a WHERE a = 1 OR n % 6 = 0;
  SET session_replication_role = origin;`;
const NOW = '2026-11-22T00:00:00Z';

const opened: { end(): Promise<void> }[] = [];
let database: TestDatabase;
afterEach(async () => {
  for (const connection of opened.splice(0)) await connection.end();
  await database.drop();
});

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  opened.push(client);
  return client;
}

const readScript = (name: string) => readFile(join(MIGRATIONS_FOLDER, name, 'migration.sql'), 'utf8');

/** The row that 0.1.0 writes for an update that it cannot apply. */
const SET_ASIDE = `
  INSERT INTO "UnappliedUpdate" ("id", "environment", "kind", "slot", "payload", "error", "createdAt")
  VALUES (gen_random_uuid(), 'TEST', $1, 7, $2, 'Error: no', $3)`;

it('the indexer of 0.1.0 sets aside what it cannot apply, and finds it again', async () => {
  database = await cloneDatabase(inject('templateDatabaseUrl'));
  const indexer = await connect();
  await indexer.query(SET_ASIDE, ['account', { kind: 'account', address: 'Abc' }, NOW]);
  await indexer.query(SET_ASIDE, ['transaction', { kind: 'transaction', signature: 'xyz' }, NOW]);
  const { rows } = await indexer.query(
    'SELECT "kind", "subject", "triedAt" FROM "UnappliedUpdate" ORDER BY "kind"',
  );
  expect(rows).toEqual([
    { kind: 'account', subject: 'Abc', triedAt: new Date(NOW) },
    { kind: 'transaction', subject: 'xyz', triedAt: new Date(NOW) },
  ]);
});

it('one row stays open for an update that 0.1.0 has set aside twice', async () => {
  database = await createEmptyDatabase(inject('templateDatabaseUrl'));
  const client = await connect();
  for (const name of await migrationNames())
    if (name < AFTER_0_1_0) await client.query(await readScript(name));
  for (const at of [NOW, '2026-11-22T00:00:01Z']) {
    await client.query(SET_ASIDE, ['account', { kind: 'account', address: 'Abc' }, at]);
  }
  const pool = new Pool({ connectionString: database.url });
  opened.push(pool);
  for (const name of await migrationNames()) {
    if (name >= AFTER_0_1_0)
      await runScript(pool, await readScript(name), { lockMs: 3_000, attempts: 1, pauseMs: 0 });
  }
  const { rows } = await client.query(
    'SELECT "subject", "createdAt" FROM "UnappliedUpdate" WHERE "resolvedAt" IS NULL',
  );
  expect(rows).toEqual([{ subject: 'Abc', createdAt: new Date('2026-11-22T00:00:01Z') }]);
});

it('the relay of 0.1.0 runs during the migration of the outbox, and keeps its index', async () => {
  database = await createEmptyDatabase(inject('templateDatabaseUrl'));
  const relay = await connect();
  for (const name of await migrationNames())
    if (name < AFTER_0_1_0) await relay.query(await readScript(name));
  await relay.query('BEGIN');
  await relay.query('SELECT FROM "Event" WHERE "relayedAt" IS NULL');
  const pool = new Pool({ connectionString: database.url });
  opened.push(pool);
  await runScript(pool, await readScript(OUTBOX), { lockMs: 500, attempts: 1, pauseMs: 0 });
  await relay.query('UPDATE "Event" SET "relayedAt" = now() WHERE "relayedAt" IS NULL');
  await relay.query('COMMIT');
  const { rows } = await relay.query(`SELECT to_regclass('"Event_unrelayed"') IS NOT NULL AS "kept"`);
  expect(rows).toEqual([{ kept: true }]);
});

it('earlier failed payments get their reason in batches that commit', async () => {
  database = await createEmptyDatabase(inject('templateDatabaseUrl'));
  const client = await connect();
  const pool = new Pool({ connectionString: database.url });
  opened.push(pool);
  for (const name of await migrationNames()) {
    if (name < FAILURE_REASONS) await runScript(pool, await readScript(name), ONE_ATTEMPT);
  }
  await client.query(FAILED_PAYMENTS);
  const reader = await connect();
  await reader.query('BEGIN');
  await reader.query('SELECT FROM "Merchant"');
  const script = await readScript(FAILURE_REASONS);
  const backfill = script.slice(0, script.indexOf('-- Payments by the reason'));
  // The script runs twice, because an interrupted migration begins again.
  for (const _ of [1, 2]) await runScript(pool, backfill, ONE_ATTEMPT);
  const { rows } = await client.query(
    'SELECT "failureCode", count(*)::int FROM "Payment" GROUP BY 1 ORDER BY 2',
  );
  expect(rows).toEqual([
    { failureCode: 'APPROVAL_REVOKED', count: 2_002 },
    { failureCode: 'INSUFFICIENT_FUNDS', count: 4_004 },
    { failureCode: null, count: 6_006 },
  ]);
});

const SCHEDULE_COLUMNS = '20261128172000_schedule_columns';
const EARLIER_SCHEDULES = '20261128172001_schedule_of_earlier_rows';
const TRIAL_ROWS = `
  SET session_replication_role = replica;
  INSERT INTO "Plan" ("id", "merchantId", "environment", "planId", "name", "amount", "intervalSeconds",
    "trialPeriodSeconds", "mint", "tokenProgram", "chainPlanId", "address")
  VALUES ('00000000-0000-0000-0000-000000000001', gen_random_uuid(), 'TEST', 'pro', 'Pro', 1, 7200, 604800, '', '', 1, 'plan');
  SET session_replication_role = origin;`;
/** Subscriptions as the release before writes them; every third one has no trial. */
const subscriptionsOfBefore = (from: number, to: number) => `
  ALTER TABLE "Subscription" DISABLE TRIGGER ALL;
  ALTER TABLE "Subscription" ENABLE TRIGGER USER;
  INSERT INTO "Subscription" ("id", "merchantId", "environment", "planId", "customerId", "address", "chainCreatedAt",
    "walletAddress", "tokenAccount", "trialGranted", "startedAt", "nextPaymentAt")
  SELECT md5(n::text)::uuid, '00000000-0000-0000-0000-000000000002', 'TEST', '00000000-0000-0000-0000-000000000001',
    gen_random_uuid(), n::text, 1, '', '', n % 3 <> 0, now(), now() FROM generate_series(${from}, ${to}) AS n;`;

it('schedules of the release before get their offset and period, before, during and after the migration', async () => {
  database = await createEmptyDatabase(inject('templateDatabaseUrl'));
  const client = await connect();
  const pool = new Pool({ connectionString: database.url });
  opened.push(pool);
  for (const name of await migrationNames()) {
    if (name < SCHEDULE_COLUMNS) await runScript(pool, await readScript(name), ONE_ATTEMPT);
  }
  await client.query(TRIAL_ROWS);
  await client.query(subscriptionsOfBefore(1, 12_000));
  await runScript(pool, await readScript(SCHEDULE_COLUMNS), ONE_ATTEMPT);
  await client.query(subscriptionsOfBefore(12_001, 12_006));
  for (const _ of [1, 2]) await runScript(pool, await readScript(EARLIER_SCHEDULES), ONE_ATTEMPT);
  await client.query(subscriptionsOfBefore(12_007, 12_012));
  const { rows } = await client.query(
    'SELECT "anchorOffsetSeconds", count(*)::int FROM "Subscription" GROUP BY 1 ORDER BY 1',
  );
  expect(rows).toEqual([
    { anchorOffsetSeconds: 0, count: 4_004 },
    { anchorOffsetSeconds: 604_800, count: 8_008 },
  ]);
  expect((await client.query('SELECT "periodSeconds" FROM "Plan"')).rows).toEqual([{ periodSeconds: 7_200 }]);
});
