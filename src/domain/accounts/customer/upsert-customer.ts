import type { DbTransaction } from '../../../db/db.ts';
import { type CheckoutSession, Prisma } from '../../../generated/prisma/client.ts';

/** What a checkout session says about its customer. */
export type CustomerOfCheckout = Pick<
  CheckoutSession,
  'merchantId' | 'environment' | 'customerEmail' | 'customerId'
>;

/**
 * Finds or creates the customer with this email and wallet; the merchant's latest customer id is
 * stored.
 *
 * @param newId the id if the customer is created
 */
export async function upsertCustomer(
  tx: DbTransaction,
  { merchantId, environment, customerEmail, customerId }: CustomerOfCheckout,
  wallet: string,
  newId: string,
  now: Date,
): Promise<string> {
  const [customer] = await tx.$queryRaw<{ id: string }[]>(Prisma.sql`
    INSERT INTO "Customer" ("id", "merchantId", "environment", "email", "customerId", "walletAddress", "createdAt")
    VALUES (${newId}::uuid, ${merchantId}::uuid, ${environment}::"Environment", ${customerEmail}, ${customerId},
      ${wallet}, ${now})
    ON CONFLICT ("merchantId", "environment", "walletAddress", "email") DO UPDATE
      SET "customerId" = COALESCE(EXCLUDED."customerId", "Customer"."customerId")
    RETURNING "id"`);
  if (!customer) throw new Error('The customer was neither created nor found');
  return customer.id;
}
