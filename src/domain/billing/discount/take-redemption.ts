import type { DbTransaction } from '../../../db/db.ts';

/** Takes one of the redemptions of a discount. Returns false if none is left. */
export async function takeRedemption(
  tx: Pick<DbTransaction, '$executeRaw'>,
  discountId: string,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE "Discount" SET "taken" = "taken" + 1
    WHERE "id" = ${discountId}::uuid AND ("maxRedemptions" IS NULL OR "taken" < "maxRedemptions")`;
  return count > 0;
}
