import type { DbTransaction } from '../../db.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Scope } from '../merchant/scope.ts';

/** What a customer is known by; any of it will do. */
export interface CustomerName {
  /** Whatever its case. */
  readonly email?: string;
  /** The merchant's own id. */
  readonly customerId?: string;
  readonly walletAddress?: string;
}

/** More customers than this under one name are not listed one by one. */
const FEW = 1_000;

/**
 * The condition for subscriptions of the customers with a name. Those are looked up first: asked in one go, the database
 * may walk through all subscriptions, newest first, in search of one.
 */
export async function ofCustomersNamed(
  db: Pick<DbTransaction, '$queryRaw'>,
  { merchantId, environment }: Scope,
  name: CustomerName,
): Promise<Prisma.SubscriptionWhereInput> {
  const { email, customerId, walletAddress } = name;
  const any = [
    ...(email === undefined ? [] : [Prisma.sql`lower("email") = lower(${email})`]),
    ...(customerId === undefined ? [] : [Prisma.sql`"customerId" = ${customerId}`]),
    ...(walletAddress === undefined ? [] : [Prisma.sql`"walletAddress" = ${walletAddress}`]),
  ];
  const customers = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT "id" FROM "Customer"
    WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment"
      AND (${Prisma.join(any, ' OR ')}) LIMIT ${FEW + 1}`);
  if (customers.length <= FEW) return { customerId: { in: customers.map(({ id }) => id) } };
  // So many that a page of subscriptions is full of theirs.
  return { customer: { OR: Object.entries(name).map(([key, value]) => ({ [key]: value })) } };
}
