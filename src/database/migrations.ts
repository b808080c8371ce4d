import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Db } from '../db.ts';
import { DatabaseUnusable } from './assert-database-reachable.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** The migrations of this release, in their order. */
export async function migrationNames(): Promise<string[]> {
  const entries = await readdir(MIGRATIONS_FOLDER, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

/**
 * Asks the database whether it is of this release. Migrations that only it knows are a later release's, which may run
 * beside this one while it is rolled out.
 *
 * @throws DatabaseUnusable where migrations have to be applied first
 */
export async function assertMigrated(db: Db): Promise<void> {
  const [booked] = await db.$queryRaw<
    { there: boolean }[]
  >`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "there"`;
  const applied = booked?.there
    ? await db.$queryRaw<{ name: string }[]>`
        SELECT "migration_name" AS "name" FROM "_prisma_migrations"
        WHERE "finished_at" IS NOT NULL AND "rolled_back_at" IS NULL`
    : [];
  const missing = (await migrationNames()).filter((name) => !applied.some((row) => row.name === name));
  if (missing.length === 0) return;
  throw new DatabaseUnusable(`The database lacks ${missing.join(', ')}: run \`dues migrate\` first`);
}
