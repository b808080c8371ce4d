import type { Db } from '../../src/db/db.ts';

/** Runs a statement for each table of dues and of its queues, without triggers and foreign keys. */
async function forEachTable(db: Db, statement: string): Promise<void> {
  await db.$executeRawUnsafe(`
    DO $$
    DECLARE
      t record;
    BEGIN
      SET LOCAL session_replication_role = replica;
      CREATE SCHEMA IF NOT EXISTS "copy";
      FOR t IN SELECT oid::regclass AS "table", relname FROM pg_class
          WHERE relnamespace IN ('public'::regnamespace, to_regnamespace('bullmq')) AND relkind = 'r' LOOP
        EXECUTE format(${statement});
      END LOOP;
    END $$`);
}

/** Copies all rows of the database, as a backup or a standby has them. */
export const copyDatabase = (db: Db) =>
  forEachTable(db, `'CREATE TABLE "copy".%I AS TABLE %s', t.relname, t."table"`);

/** Replaces all rows by their copies. */
export const putCopyBack = (db: Db) =>
  forEachTable(db, `'DELETE FROM %2$s; INSERT INTO %2$s SELECT * FROM "copy".%1$I', t.relname, t."table"`);
