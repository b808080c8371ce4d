import type { DbTransaction } from '../../../db/db.ts';

/**
 * Locks the merchant's row until the transaction ends, so that concurrent calls which count what a
 * merchant has see each other's rows.
 */
export async function lockMerchant(tx: DbTransaction, merchantId: string): Promise<void> {
  await tx.$executeRaw`SELECT FROM "Merchant" WHERE "id" = ${merchantId}::uuid FOR NO KEY UPDATE`;
}
