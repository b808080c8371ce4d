import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { inBatches } from '../../../db/in-batches.ts';
import { Prisma } from '../../../generated/prisma/client.ts';

const BATCH = 500;

/** Gives back reservations whose transactions can no longer land. */
export async function releaseExpired({ db, clock }: Pick<AppContext, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await inBatches(BATCH, (size) =>
    release(
      db,
      Prisma.sql`SELECT "id" FROM "DiscountRedemption" WHERE "status" = 'RESERVED' AND "expiresAt" <= ${now}
        ORDER BY "expiresAt" LIMIT ${size} FOR UPDATE SKIP LOCKED`,
      Prisma.sql`"sessionId"`,
    ),
  );
}

/**
 * Gives back the reservation of a session whose customer has removed or replaced the discount.
 */
export async function releaseOf(tx: Pick<DbTransaction, '$queryRaw'>, sessionId: string): Promise<void> {
  await release(
    tx,
    Prisma.sql`SELECT "id" FROM "DiscountRedemption" WHERE "sessionId" = ${sessionId} AND "status" = 'RESERVED' FOR UPDATE`,
    Prisma.sql`NULL`,
  );
}

/** Releases the selected reservations, and sets their session. Returns their number. */
async function release(
  db: Pick<DbTransaction, '$queryRaw'>,
  selected: Prisma.Sql,
  session: Prisma.Sql,
): Promise<number> {
  const [row] = await db.$queryRaw<{ released: number }[]>`
    WITH "released" AS (
      UPDATE "DiscountRedemption" SET "status" = 'RELEASED', "sessionId" = ${session}
      WHERE "id" = ANY(ARRAY(${selected})) RETURNING "discountId"
    ), "counts" AS (
      SELECT "discountId", count(*)::int AS "count" FROM "released" GROUP BY 1
    ), "locked" AS (
      -- In the order in which all statements lock several discounts.
      SELECT d."id", c."count" FROM "Discount" d JOIN "counts" c ON c."discountId" = d."id" ORDER BY d."id" FOR UPDATE OF d
    ), "freed" AS (
      UPDATE "Discount" SET "taken" = "taken" - l."count" FROM "locked" l WHERE "Discount"."id" = l."id"
    )
    SELECT count(*)::int AS "released" FROM "released"`;
  return row?.released ?? 0;
}
