import type { DbTransaction } from '../../src/db/db.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';

/**
 * Runs `work` without indexes and builds them afterwards, which is several times as fast as
 * inserting rows into them. Indexes of constraints stay.
 *
 * @param tables the tables whose indexes are built again; default: all
 */
export async function withoutIndexes(
  tx: DbTransaction,
  work: () => Promise<void>,
  tables: readonly string[] | null = null,
): Promise<void> {
  const indexes = await tx.$queryRaw<{ name: string; definition: string }[]>`
    SELECT "indexrelid"::regclass::text AS "name", pg_get_indexdef("indexrelid") AS "definition" FROM pg_index
    JOIN pg_class ON pg_class.oid = "indrelid" WHERE "relnamespace" = 'public'::regnamespace
      AND (${tables}::text[] IS NULL OR "relname" = ANY(${tables}::text[]))
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE "conindid" = "indexrelid")`;
  await tx.$executeRaw`SET LOCAL maintenance_work_mem = '256MB'`;
  for (const { name } of indexes) await tx.$executeRaw(Prisma.raw(`DROP INDEX ${name}`));
  await work();
  for (const { definition } of indexes) await tx.$executeRaw(Prisma.raw(definition));
}
