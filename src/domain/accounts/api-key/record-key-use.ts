import type { AppContext } from '../../../app.ts';
import { Prisma } from '../../../generated/prisma/client.ts';

/** Stores when keys were last used, in one statement; changes of less than a minute are skipped. */
export async function recordKeyUse(
  { db }: Pick<AppContext, 'db'>,
  usedAt: ReadonlyMap<string, Date>,
): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    UPDATE "ApiKey" SET "lastUsedAt" = used."at"
    FROM unnest(${[...usedAt.keys()]}::uuid[], ${[...usedAt.values()]}::timestamptz[]) AS used ("id", "at")
    WHERE "ApiKey"."id" = used."id"
      AND ("lastUsedAt" IS NULL OR "lastUsedAt" <= used."at" - interval '1 minute')`);
}
