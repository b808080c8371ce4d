import type { DbTransaction } from '../../db.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { createdIn, type MomentRange } from '../merchant/moment-range.ts';
import { MAX_TOTAL } from '../merchant/page.ts';
import type { Place } from '../merchant/place.ts';
import type { Scope } from '../merchant/scope.ts';
import { validSearch } from '../merchant/valid-text.ts';

export interface CustomerFilter extends MomentRange {
  /** How the email (whatever its case) or the merchant's own id begins; or the whole wallet address. */
  readonly search?: string | undefined;
}

/**
 * The condition for customers that a filter lets through, in SQL: Prisma has no words for how an email begins that an
 * index can answer.
 *
 * @throws BillingError invalid_request, param `search` or `to`
 */
export function customersWhere(
  { merchantId, environment }: Scope,
  { search, ...range }: CustomerFilter,
): Prisma.Sql {
  if (search !== undefined) validSearch('search', search, 0);
  const { gte, lt } = createdIn(range).createdAt ?? {};
  const all = [
    Prisma.sql`"merchantId" = ${merchantId}::uuid`,
    Prisma.sql`"environment" = ${environment}::"Environment"`,
    ...(gte ? [Prisma.sql`"createdAt" >= ${gte}`] : []),
    ...(lt ? [Prisma.sql`"createdAt" < ${lt}`] : []),
    ...(search === undefined ? [] : [named(search)]),
  ];
  return Prisma.join(all, ' AND ');
}

function named(search: string): Prisma.Sql {
  const beginning = `${search.replace(/[\\%_]/g, String.raw`\$&`)}%`;
  return Prisma.sql`(lower("email") LIKE lower(${beginning}) OR "customerId" LIKE ${beginning}
    OR "walletAddress" = ${search})`;
}

/** How many a filter lets through, up to `MAX_TOTAL`. */
export async function countCustomers(
  db: Pick<DbTransaction, '$queryRaw'>,
  scope: Scope,
  filter: CustomerFilter,
): Promise<number> {
  const where = customersWhere(scope, filter);
  const [row] = await db.$queryRaw<{ total: number }[]>(
    Prisma.sql`SELECT count(*)::int AS "total" FROM (
      SELECT FROM "Customer" WHERE ${where} LIMIT ${MAX_TOTAL}) AS "some"`,
  );
  return row?.total ?? 0;
}

/** A page of those: `take` of the newest after the cursor, or, where that is negative, of the oldest before it. */
export async function customerIds(
  db: Pick<DbTransaction, '$queryRaw'>,
  scope: Scope,
  filter: CustomerFilter,
  { take, cursor }: { readonly take: number; readonly cursor: Place | undefined },
): Promise<string[]> {
  const [than, order] = take < 0 ? [Prisma.sql`>`, Prisma.sql`ASC`] : [Prisma.sql`<`, Prisma.sql`DESC`];
  const beyond = cursor
    ? Prisma.sql`AND ("createdAt", "id") ${than} (${cursor.createdAt}, ${cursor.id}::uuid)`
    : Prisma.empty;
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT "id" FROM "Customer" WHERE ${customersWhere(scope, filter)} ${beyond}
    ORDER BY "createdAt" ${order}, "id" ${order} LIMIT ${Math.abs(take)}`);
  return rows.map(({ id }) => id);
}
