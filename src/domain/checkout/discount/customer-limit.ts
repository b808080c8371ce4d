import type { DbTransaction } from '../../../db/db.ts';
import type { CheckoutSession, Discount } from '../../../generated/prisma/client.ts';
import { ofCustomersNamed } from '../../accounts/customer/customers-named.ts';

type Reading = Pick<DbTransaction, 'discountRedemption' | 'subscription' | '$queryRaw'>;
type Customer = Pick<CheckoutSession, 'id' | 'merchantId' | 'environment' | 'customerEmail' | 'customerId'>;

/**
 * By what a customer is recognised. A wallet is known once it asks for the transactions to sign.
 */
export function identitiesOf({ customerEmail, customerId }: Customer, wallet: string | null): string[] {
  return [
    `email:${customerEmail.toLowerCase()}`,
    ...(customerId === null ? [] : [`customer:${customerId}`]),
    ...(wallet === null ? [] : [`wallet:${wallet}`]),
  ];
}

/** Whether a discount has limits for each customer. */
export function limitsCustomers({ maxPerCustomer, firstPurchaseOnly }: Discount): boolean {
  return maxPerCustomer !== null || firstPurchaseOnly;
}

/** Whether the customer of a session has no redemption of the discount left. */
export async function isUsedUpBy(
  db: Reading,
  { id: discountId, maxPerCustomer, firstPurchaseOnly }: Discount,
  session: Customer,
  wallet: string | null,
): Promise<boolean> {
  const max = firstPurchaseOnly ? 1 : maxPerCustomer;
  if (max === null) return false;
  const used = await db.discountRedemption.count({
    where: {
      discountId,
      identities: { hasSome: identitiesOf(session, wallet) },
      status: { in: ['RESERVED', 'REDEEMED'] },
      OR: [{ sessionId: null }, { sessionId: { not: session.id } }],
    },
  });
  if (used >= max) return true;
  return firstPurchaseOnly && (await hasSubscribed(db, session, wallet));
}

async function hasSubscribed(db: Reading, session: Customer, wallet: string | null): Promise<boolean> {
  const { merchantId, environment, customerEmail: email, customerId } = session;
  const scope = { merchantId, environment };
  const customers = await ofCustomersNamed(db, scope, {
    email,
    ...(customerId !== null && { customerId }),
    ...(wallet !== null && { walletAddress: wallet }),
  });
  return (
    (await db.subscription.findFirst({ where: { ...scope, ...customers }, select: { id: true } })) !== null
  );
}
