import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Db } from '../db/db.ts';
import { DatabaseUnusable } from './assert-database-reachable.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** The migrations of this release, in order. */
export async function migrationNames(): Promise<string[]> {
  const entries = await readdir(MIGRATIONS_FOLDER, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

/**
 * Checks that the database has all migrations of this release. Unknown migrations are allowed: they
 * belong to a later release, which may run at the same time during a rollout.
 *
 * @throws DatabaseUnusable if migrations must be applied first
 */
export async function assertMigrated(db: Db): Promise<void> {
  const [migrationsTable] = await db.$queryRaw<
    { there: boolean }[]
  >`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "there"`;
  const applied = migrationsTable?.there
    ? await db.$queryRaw<{ name: string }[]>`
        SELECT "migration_name" AS "name" FROM "_prisma_migrations"
        WHERE "finished_at" IS NOT NULL AND "rolled_back_at" IS NULL`
    : [];
  const missing = (await migrationNames()).filter((name) => !applied.some((row) => row.name === name));
  if (missing.length === 0) return;
  const more = missing.length > 1 ? ` and ${missing.length - 1} later migrations` : '';
  throw new DatabaseUnusable(
    `The database lacks the migration ${missing[0]}${more}: run \`dues migrate\` first`,
  );
}
