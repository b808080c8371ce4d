import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { differences, readCatalog } from '../../src/postgres/drift.ts';
import { schemaSql } from '../../src/postgres/schema-engine.ts';
import { runSql } from '../../tools/run-sql.ts';
import { cloneDatabase, type TestDatabase } from '../support/postgres.ts';
import { createEmptyDatabase } from './databases.ts';

let migrated: TestDatabase;
let expected: TestDatabase;
beforeAll(async () => {
  const template = inject('templateDatabaseUrl');
  [migrated, expected] = [await cloneDatabase(template), await createEmptyDatabase(template)];
  await runSql(expected.url, await schemaSql(expected.url));
});
afterAll(() => Promise.all([migrated.drop(), expected.drop()]));

describe('the migrations', () => {
  it('produce the schema of schema.prisma', async () => {
    const schema = await readCatalog(expected.url);
    expect(schema.size).toBeGreaterThan(100);
    expect(differences(await readCatalog(migrated.url), schema)).toEqual([]);
  });

  it.each([
    ['a table', 'CREATE TABLE "Extra" ("id" INTEGER)', 'table Extra'],
    ['a column', 'ALTER TABLE "Plan" ADD COLUMN "extra" TEXT', 'column Plan.extra'],
    [
      'a type',
      'ALTER TABLE "Plan" ALTER COLUMN "intervalSeconds" TYPE BIGINT',
      'column Plan.intervalSeconds',
    ],
    ['NOT NULL', 'ALTER TABLE "Plan" ALTER COLUMN "name" DROP NOT NULL', 'column Plan.name'],
    ['a default', 'ALTER TABLE "Plan" ALTER COLUMN "status" DROP DEFAULT', 'column Plan.status'],
    ['an enum', `ALTER TYPE "PlanStatus" ADD VALUE 'GONE'`, 'enum PlanStatus'],
    ['a foreign key', 'ALTER TABLE "Plan" DROP CONSTRAINT "Plan_merchantId_fkey"', 'Plan_merchantId_fkey'],
    [
      'a primary key',
      'ALTER TABLE "StreamPosition" DROP CONSTRAINT "StreamPosition_pkey"',
      'StreamPosition_pkey',
    ],
    ['an index', 'DROP INDEX "Subscription_customerId_idx"', 'Subscription_customerId_idx'],
    ['uniqueness', 'DROP INDEX "Delivery_eventId_endpointId_key"', 'Delivery_eventId_endpointId_key'],
  ])('are detected if %s differs', async (_, sql, named) => {
    const changed = await cloneDatabase(inject('templateDatabaseUrl'));
    try {
      await runSql(changed.url, sql);
      const found = differences(await readCatalog(changed.url), await readCatalog(expected.url));
      expect(found.join('\n')).toContain(named);
    } finally {
      await changed.drop();
    }
  });

  it('may have checks and partial indexes that schema.prisma cannot express', async () => {
    const before = await readCatalog(migrated.url);
    await runSql(migrated.url, 'CREATE INDEX "Half" ON "Plan" ("name") WHERE "endsAt" IS NULL');
    await runSql(migrated.url, 'ALTER TABLE "Plan" ADD CONSTRAINT "Named" CHECK ("name" <> \'\')');
    expect(differences(await readCatalog(migrated.url), before)).toEqual([]);
  });
});
