import type { DbTransaction } from '../../../db/db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';

/** Maximum characters of a merchant's id of a customer. */
export const MAX_CUSTOMER_ID = 255;

/** Ways to name a customer; a match of any of them counts. */
export interface CustomerName {
  /** Compared ignoring case. */
  readonly email?: string;
  /** The merchant's id. */
  readonly customerId?: string;
  readonly walletAddress?: string;
}

/** Maximum customers with one name whose ids are returned. */
export const MAX_NAMED = 1_000;

/** Our ids of the customers with a name; undefined if there are more than `MAX_NAMED`. */
export async function customerIdsNamed(
  db: Pick<DbTransaction, '$queryRaw'>,
  { merchantId, environment }: Scope,
  { email, customerId, walletAddress }: CustomerName,
): Promise<string[] | undefined> {
  const conditions = [
    ...(email === undefined ? [] : [Prisma.sql`lower("email") = lower(${email})`]),
    ...(customerId === undefined ? [] : [Prisma.sql`"customerId" = ${customerId}`]),
    ...(walletAddress === undefined ? [] : [Prisma.sql`"walletAddress" = ${walletAddress}`]),
  ];
  const customers = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT "id" FROM "Customer"
    WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment"
      AND (${Prisma.join(conditions, ' OR ')}) LIMIT ${MAX_NAMED + 1}`);
  return customers.length <= MAX_NAMED ? customers.map(({ id }) => id) : undefined;
}

/**
 * The filter for subscriptions of the customers with a name. The customers are looked up first,
 * because in one query the database may scan all subscriptions, newest first, in search of one.
 */
export async function ofCustomersNamed(
  db: Pick<DbTransaction, '$queryRaw'>,
  scope: Scope,
  name: CustomerName,
): Promise<Prisma.SubscriptionWhereInput> {
  const ids = await customerIdsNamed(db, scope, name);
  if (ids) return { customerId: { in: ids } };
  // With this many customers a page of their subscriptions is found quickly.
  return { customer: { OR: Object.entries(name).map(([key, value]) => ({ [key]: value })) } };
}
