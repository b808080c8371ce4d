import type { DbTransaction } from '../../../db/db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { createdIn, type TimeRange } from '../../kernel/input/time-filter.ts';
import { validSearch } from '../../kernel/input/valid-text.ts';
import type { ListPosition } from '../../kernel/paging/list-position.ts';
import { MAX_TOTAL } from '../../kernel/paging/numbered-page.ts';

export interface CustomerFilter extends TimeRange {
  /**
   * Prefix of the email (ignoring case) or of the merchant's id, or the complete wallet address.
   */
  readonly search?: string | undefined;
}

/**
 * The filter for customers in SQL, because Prisma cannot express an indexed prefix search of
 * emails.
 *
 * @throws BillingError invalid_request, param `search` or `to`
 */
export function customersWhere(
  { merchantId, environment }: Scope,
  { search, ...range }: CustomerFilter,
): Prisma.Sql {
  if (search !== undefined) validSearch('search', search, 0);
  const { gte, lt } = createdIn(range).createdAt ?? {};
  const conditions = [
    Prisma.sql`"merchantId" = ${merchantId}::uuid`,
    Prisma.sql`"environment" = ${environment}::"Environment"`,
    ...(gte ? [Prisma.sql`"createdAt" >= ${gte}`] : []),
    ...(lt ? [Prisma.sql`"createdAt" < ${lt}`] : []),
    ...(search === undefined ? [] : [named(search)]),
  ];
  return Prisma.join(conditions, ' AND ');
}

function named(search: string): Prisma.Sql {
  const beginning = beginningWith(search);
  return Prisma.sql`(lower("email") LIKE lower(${beginning}) OR "customerId" LIKE ${beginning}
    OR "walletAddress" = ${search})`;
}

function beginningWith(search: string): string {
  return `${search.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** The number of matching customers, counted up to `MAX_TOTAL`. */
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

/**
 * Up to this number of matches the page is sorted from the matches; with more, a scan of all
 * customers finds a page quickly.
 */
const MAX_SORTED_MATCHES = 1_000;

/**
 * A page of matching customers: `take` of the newest after the cursor or, if `take` is negative, of
 * the oldest before it.
 *
 * With a search the better of two query plans depends on the number of matches, which PostgreSQL
 * can only estimate. They are therefore counted up to a bound, and the query is written for one
 * plan.
 */
export async function customerIds(
  db: Pick<DbTransaction, '$queryRaw'>,
  scope: Scope,
  filter: CustomerFilter,
  { take, cursor }: { readonly take: number; readonly cursor: ListPosition | undefined },
): Promise<string[]> {
  const [operator, order] = take < 0 ? [Prisma.sql`>`, Prisma.sql`ASC`] : [Prisma.sql`<`, Prisma.sql`DESC`];
  const beyond = cursor
    ? Prisma.sql`AND ("createdAt", "id") ${operator} (${cursor.createdAt}, ${cursor.id}::uuid)`
    : Prisma.empty;
  const { search, ...range } = filter;
  const where = customersWhere(scope, range);
  const ordered = Prisma.sql`ORDER BY "createdAt" ${order}, "id" ${order}`;
  const limit = Prisma.sql`LIMIT ${Math.abs(take)}`;
  const found = search === undefined ? undefined : await idsNamed(db, scope, search);
  const rows = await db.$queryRaw<{ id: string }[]>(
    search === undefined
      ? Prisma.sql`SELECT "id" FROM "Customer" WHERE ${where} ${beyond} ${ordered} ${limit}`
      : found
        ? Prisma.sql`SELECT "id" FROM (SELECT * FROM "Customer" WHERE "id" = ANY (${found}::uuid[]) OFFSET 0) AS named
            WHERE ${where} ${beyond} ${ordered} ${limit}`
        : Prisma.sql`SELECT "id" FROM (SELECT * FROM "Customer" WHERE ${where} ${beyond} ${ordered} OFFSET 0) AS listed
            WHERE ${named(search)} ${limit}`,
  );
  return rows.map(({ id }) => id);
}

/**
 * The customers that a search finds; undefined if there are too many. The order is that of the
 * indexes, each read up to a bound.
 */
async function idsNamed(
  db: Pick<DbTransaction, '$queryRaw'>,
  { merchantId, environment }: Scope,
  search: string,
): Promise<string[] | undefined> {
  validSearch('search', search, 0);
  const own = Prisma.sql`"merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment"`;
  const limit = Prisma.sql`LIMIT ${MAX_SORTED_MATCHES + 1}`;
  const beginning = beginningWith(search);
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    (SELECT "id" FROM "Customer" WHERE ${own} AND lower("email") LIKE lower(${beginning})
      ORDER BY "merchantId", "environment", lower("email") USING ~<~ ${limit})
    UNION
    (SELECT "id" FROM "Customer" WHERE ${own} AND "customerId" LIKE ${beginning}
      ORDER BY "merchantId", "environment", "customerId" USING ~<~ ${limit})
    UNION
    (SELECT "id" FROM "Customer" WHERE ${own} AND "walletAddress" = ${search} ORDER BY "email" ${limit})
    ${limit}`);
  return rows.length > MAX_SORTED_MATCHES ? undefined : rows.map(({ id }) => id);
}
