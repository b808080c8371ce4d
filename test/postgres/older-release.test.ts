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
  ALTER TABLE "Plan" DISABLE TRIGGER ALL;
  ALTER TABLE "Plan" ENABLE TRIGGER USER;
  INSERT INTO "Plan" ("id", "merchantId", "environment", "planId", "name", "amount", "intervalSeconds",
    "trialPeriodSeconds", "mint", "tokenProgram", "chainPlanId", "address")
  VALUES ('00000000-0000-0000-0000-000000000001', gen_random_uuid(), 'TEST', 'pro', 'Pro', 1, 7200, 604800, '', '', 1, 'plan');`;
/** Subscriptions as the release before writes them; every third one has no trial. */
const subscriptionsOfBefore = (from: number, to: number) => `
  ALTER TABLE "Subscription" DISABLE TRIGGER ALL;
  ALTER TABLE "Subscription" ENABLE TRIGGER USER;
  INSERT INTO "Subscription" ("id", "merchantId", "environment", "planId", "customerId", "address", "chainCreatedAt",
    "walletAddress", "tokenAccount", "trialGranted", "startedAt", "nextPaymentAt")
  SELECT md5(n::text)::uuid, '00000000-0000-0000-0000-000000000002', 'TEST', '00000000-0000-0000-0000-000000000001',
    gen_random_uuid(), n::text, 1, '', '', n % 3 <> 0, now(), now() FROM generate_series(${from}, ${to}) AS n;`;

it('schedules of the release before get an offset and a period at any time', async () => {
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

const MRR_COLUMNS = '20261128172010_mrr_columns';
const MRR_MIGRATIONS = [MRR_COLUMNS, '20261128172011_mrr_of_earlier_rows', '20261128172012_mrr_movements'];
/** 90 subscriptions of 7 wallets to 3 plans, which start on other days; some end and come back. */
const MRR_ROWS = `
  INSERT INTO "Merchant" ("id", "companyName", "walletAddress") VALUES ('00000000-0000-0000-0000-000000000009', '', '');
  INSERT INTO "Customer" ("id", "merchantId", "environment", "email", "walletAddress")
  VALUES ('00000000-0000-0000-0000-000000000008', '00000000-0000-0000-0000-000000000009', 'TEST', '', '');
  INSERT INTO "Plan" ("id", "merchantId", "environment", "planId", "name", "amount", "intervalSeconds", "mint",
    "tokenProgram", "chainPlanId", "address")
  SELECT md5('plan' || n)::uuid, '00000000-0000-0000-0000-000000000009', 'TEST', n::text, '', 9999991 * n,
    (ARRAY[3600, 2592000, 2628000])[n], 'gold', '', n, n::text FROM generate_series(1, 3) AS n;
  INSERT INTO "Subscription" ("id", "merchantId", "environment", "planId", "customerId", "address", "chainCreatedAt",
    "walletAddress", "tokenAccount", "failureCount", "status", "startedAt", "nextPaymentAt")
  SELECT md5(n::text)::uuid, '00000000-0000-0000-0000-000000000009', 'TEST', md5('plan' || n % 3 + 1)::uuid,
    '00000000-0000-0000-0000-000000000008', n::text, 1, 'wallet ' || n % 7, '',
    (n % 4 <> 1 AND n % 9 = 0)::int,
    (CASE WHEN n % 4 = 1 THEN 'CANCELLED' WHEN n % 9 = 0 THEN 'PAST_DUE' ELSE 'ACTIVE' END)::"SubscriptionStatus", now(), now()
  FROM generate_series(1, 90) AS n;
  CREATE TABLE "moves" AS
  SELECT md5(n || ' ' || step)::uuid AS "id", md5(n::text)::uuid AS "subscriptionId", "from", "to", '' AS "reason",
    '2026-01-01'::timestamptz + n * interval '11 hours' + step * interval '49 hours' AS "at"
  FROM generate_series(1, 90) AS n CROSS JOIN LATERAL (VALUES
    (0, NULL, 'ACTIVE', true), (1, 'ACTIVE', 'PAST_DUE', n % 9 = 0),
    (2, 'ACTIVE', 'CANCELLED', n % 2 = 1 AND n % 9 <> 0), (3, 'CANCELLED', 'ACTIVE', n % 4 = 3 AND n % 9 <> 0),
    (2, 'PAST_DUE', 'CANCELLED', n % 4 = 1 AND n % 9 = 0)) AS m(step, "from", "to", "happens") WHERE "happens";`;
const INSERT_MOVES = `INSERT INTO "SubscriptionTransition" ("id", "subscriptionId", "from", "to", "reason", "at")
  SELECT "id", "subscriptionId", "from"::"SubscriptionStatus", "to"::"SubscriptionStatus", "reason", "at" FROM "moves"`;
const MOVEMENTS_BY_DAY = (table: string) => `
  SELECT "planId", "day"::text, sum("new") AS "new", sum("expansion") AS "expansion", sum("contraction") AS "contraction",
    sum("churn") AS "churn", sum("reactivation") AS "reactivation", sum("moved") AS "moved"
  FROM "${table}" GROUP BY 1, 2 ORDER BY 1, 2`;
const WALLETS = 'SELECT "walletAddress", "amount" FROM "CustomerMrr" ORDER BY 1';

it('the revenue of every plan is the same after the migration as by the trigger', async () => {
  database = await createEmptyDatabase(inject('templateDatabaseUrl'));
  const client = await connect();
  const pool = new Pool({ connectionString: database.url });
  opened.push(pool);
  for (const name of await migrationNames()) {
    if (name < MRR_COLUMNS) await runScript(pool, await readScript(name), ONE_ATTEMPT);
  }
  await client.query(MRR_ROWS);
  await client.query(INSERT_MOVES);
  for (const name of MRR_MIGRATIONS) await runScript(pool, await readScript(name), ONE_ATTEMPT);
  const { rows: plans } = await client.query(`
    SELECT p."amount", p."intervalSeconds", (SELECT count(*) FROM "Subscription"
        WHERE "planId" = p."id" AND "status" IN ('ACTIVE', 'PAST_DUE')) AS "count",
      (SELECT sum("new" + "reactivation" + "expansion" - "contraction" - "churn") FROM "MrrDay" WHERE "planId" = p."id") AS "mrr"
    FROM "Plan" p`);
  expect(plans.length).toBe(3);
  for (const { amount, intervalSeconds, count, mrr } of plans) {
    expect(Number(count)).toBeGreaterThan(10);
    const ofOne = (BigInt(amount) * 2_592_000n) / BigInt(intervalSeconds);
    expect(BigInt(mrr)).toBe(BigInt(count) * ofOne);
    const rounding = (BigInt(count) * BigInt(amount) * 2_592_000n) / BigInt(intervalSeconds) - BigInt(mrr);
    expect(rounding >= 0n && rounding < BigInt(count)).toBe(true);
    if (2_592_000 % intervalSeconds === 0) expect(rounding).toBe(0n);
  }
  const [found, wallets] = [await client.query(MOVEMENTS_BY_DAY('MrrDay')), await client.query(WALLETS)];
  expect(found.rows.some(({ contraction }) => BigInt(contraction) > 0n)).toBe(true);
  expect(wallets.rows.length).toBe(7);

  // The same transitions, as processes of the release before would write them now.
  await client.query('DELETE FROM "SubscriptionTransition"; DELETE FROM "CustomerMrr"');
  await client.query(`DO $$ DECLARE m record; BEGIN
    FOR m IN SELECT * FROM "moves" ORDER BY "at", "id" LOOP
      INSERT INTO "SubscriptionTransition" ("id", "subscriptionId", "from", "to", "reason", "at")
      VALUES (m."id", m."subscriptionId", m."from"::"SubscriptionStatus", m."to"::"SubscriptionStatus", m."reason", m."at");
    END LOOP; END $$`);
  expect((await client.query(MOVEMENTS_BY_DAY('MrrChange'))).rows).toEqual(found.rows);
  expect((await client.query(WALLETS)).rows).toEqual(wallets.rows);
});
