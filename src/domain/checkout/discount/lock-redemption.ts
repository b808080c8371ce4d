import type { DbTransaction } from '../../../db/db.ts';
import type { DiscountRedemption } from '../../../generated/prisma/client.ts';

type Locked = Pick<DiscountRedemption, 'id' | 'discountId' | 'identities' | 'status' | 'handedOutAt'>;

/**
 * Locks the redemption of a session; undefined if it has none. The caller holds the lock of the session.
 * Locks are taken in this order: session, redemption, discount.
 */
export async function lockRedemption(
  tx: Pick<DbTransaction, '$queryRaw'>,
  sessionId: string,
): Promise<Locked | undefined> {
  const [held] = await tx.$queryRaw<Locked[]>`
    SELECT "id", "discountId", "identities", "status", "handedOutAt" FROM "DiscountRedemption"
    WHERE "sessionId" = ${sessionId} FOR UPDATE`;
  return held;
}
