import type { DbTransaction } from '../../../db/db.ts';
import { recordEvent } from '../../messages/event/record-event.ts';

/**
 * Tells the merchant when the last redemption of a discount has become a subscription. A reservation does not
 * count, because it may be given back. The merchant is told again only if the limit was raised meanwhile.
 */
export async function recordUsedUp(tx: DbTransaction, discountId: string, at: Date): Promise<void> {
  const discount = await tx.discount.findUniqueOrThrow({ where: { id: discountId } });
  const { merchantId, environment, name, code, taken, maxRedemptions } = discount;
  if (maxRedemptions === null || taken < maxRedemptions) return;
  // The last two redemptions are counted one after the other.
  await tx.$queryRaw`SELECT 1 FROM "Discount" WHERE "id" = ${discountId}::uuid FOR NO KEY UPDATE`;
  const redeemed = await tx.discountRedemption.count({ where: { discountId, status: 'REDEEMED' } });
  if (redeemed !== maxRedemptions) return;
  const data = { discountId, name, code, maxRedemptions };
  await recordEvent(tx, { merchantId, environment, type: 'discount.used_up', data, at });
}
