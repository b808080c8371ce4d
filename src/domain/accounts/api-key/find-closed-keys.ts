import type { AppContext } from '../../../app.ts';
import { Prisma } from '../../../generated/prisma/client.ts';

/** The keys that are revoked, expired or deleted. */
export async function findClosedKeys(
  { db, wallClock }: Pick<AppContext, 'db' | 'wallClock'>,
  keyIds: readonly string[],
): Promise<string[]> {
  const open = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT "id" FROM "ApiKey"
    WHERE "id" = ANY(${keyIds}::uuid[]) AND "revokedAt" IS NULL
      AND ("expiresAt" IS NULL OR "expiresAt" > ${wallClock.now()})`);
  const openIds = new Set(open.map(({ id }) => id));
  return keyIds.filter((id) => !openIds.has(id));
}
