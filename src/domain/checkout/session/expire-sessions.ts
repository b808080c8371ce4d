import type { AppContext } from '../../../app.ts';
import { inBatches } from '../../../db/in-batches.ts';
import { releaseExpired } from '../discount/release-discounts.ts';

const BATCH = 500;

/**
 * Expires checkout sessions at their `expiresAt`, updates their pages, gives back the discounts that
 * they reserved, and deletes expired idempotency keys.
 */
export async function expireSessions(ctx: Pick<AppContext, 'db' | 'live' | 'clock'>): Promise<void> {
  const now = ctx.clock.now();
  await inBatches(BATCH, async (size) => {
    const expired = await ctx.db.$queryRaw<{ id: string }[]>`
      UPDATE "CheckoutSession" SET "status" = 'EXPIRED'
      WHERE "id" = ANY(ARRAY(
        SELECT "id" FROM "CheckoutSession" WHERE "status" = 'OPEN' AND "expiresAt" <= ${now}
        ORDER BY "expiresAt" LIMIT ${size} FOR UPDATE SKIP LOCKED))
      RETURNING "id"`;
    await Promise.all(
      expired.map(({ id }) => ctx.live.publish('checkout-session.updated', { sessionId: id })),
    );
    return expired.length;
  });
  await releaseExpired(ctx);
  await inBatches(
    BATCH,
    (size) => ctx.db.$executeRaw`
      DELETE FROM "IdempotencyKey" WHERE ("merchantId", "environment", "key") IN (
        SELECT "merchantId", "environment", "key" FROM "IdempotencyKey" WHERE "expiresAt" <= ${now}
        ORDER BY "expiresAt" LIMIT ${size} FOR UPDATE SKIP LOCKED)`,
  );
}
