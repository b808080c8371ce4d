import type { AppContext } from '../../../app.ts';
import { Prisma } from '../../../generated/prisma/client.ts';

const BATCH = 500;

/**
 * Expires checkout sessions at their `expiresAt`, updates their pages, and deletes expired
 * idempotency keys.
 */
export async function expireSessions(ctx: Pick<AppContext, 'db' | 'live' | 'clock'>): Promise<void> {
  const now = ctx.clock.now();
  for (;;) {
    const expired = await ctx.db.$queryRaw<{ id: string }[]>(Prisma.sql`
      UPDATE "CheckoutSession" SET "status" = 'EXPIRED'
      WHERE "id" = ANY(ARRAY(
        SELECT "id" FROM "CheckoutSession" WHERE "status" = 'OPEN' AND "expiresAt" <= ${now}
        ORDER BY "expiresAt" LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
      RETURNING "id"`);
    await Promise.all(
      expired.map(({ id }) => ctx.live.publish('checkout-session.updated', { sessionId: id })),
    );
    if (expired.length < BATCH) break;
  }
  await deleteExpiredKeys(ctx, now);
}

async function deleteExpiredKeys({ db }: Pick<AppContext, 'db'>, now: Date): Promise<void> {
  for (;;) {
    const deleted = await db.$executeRaw(Prisma.sql`
      DELETE FROM "IdempotencyKey" WHERE ("merchantId", "environment", "key") IN (
        SELECT "merchantId", "environment", "key" FROM "IdempotencyKey" WHERE "expiresAt" <= ${now}
        ORDER BY "expiresAt" LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`);
    if (deleted < BATCH) return;
  }
}
