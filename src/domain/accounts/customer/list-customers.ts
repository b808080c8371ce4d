import type { DbTransaction } from '../../../db/db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { beginningWith } from '../../kernel/input/beginning-with.ts';
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
  return Prisma.sql`(${Prisma.join(namings(search), ' OR ')})`;
}

/** The ways in which a search matches. An index covers each of them. */
function namings(search: string): Prisma.Sql[] {
  const beginning = beginningWith(search);
  return [
    Prisma.sql`lower("email") LIKE lower(${beginning})`,
    Prisma.sql`"customerId" LIKE ${beginning}`,
    Prisma.sql`"walletAddress" = ${search}`,
  ];
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

/** Up to this number of matches the page is sorted from the matches. */
const MAX_SORTED_MATCHES = 1_000;
/** With more matches, they are looked for first among this number of customers. */
const MAX_LOOKED_AT = 500;
/** The beginning of the day in which a customer was created, as in the indexes of matches by day. */
const DAY = Prisma.sql`date_bin('24 hours', "createdAt", 'epoch')`;

interface PagePosition {
  readonly take: number;
  readonly cursor: ListPosition | undefined;
}

/**
 * A page of matching customers: `take` of the newest after the cursor or, if `take` is negative, of
 * the oldest before it.
 *
 * With a search the best of three query plans depends on the matches, which PostgreSQL can only
 * estimate. They are therefore counted up to a bound, and each query is written for one plan. Few
 * matches are sorted. Of many, a page is usually among the next customers of the list. If not, the
 * matches are read day by day, which leaves out the customers between them.
 */
export async function customerIds(
  db: Pick<DbTransaction, '$queryRaw'>,
  scope: Scope,
  filter: CustomerFilter,
  page: PagePosition,
): Promise<string[]> {
  const { search, ...range } = filter;
  const { where, ordered, limit } = pageSql(scope, range, page);
  const find = async (from: Prisma.Sql) => {
    const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`SELECT "id" FROM ${from} ${limit}`);
    return rows.map(({ id }) => id);
  };
  if (search === undefined) return find(Prisma.sql`"Customer" WHERE ${where} ${ordered}`);
  const found = await idsNamed(db, scope, search);
  if (found) {
    return find(Prisma.sql`(SELECT * FROM "Customer" WHERE "id" = ANY (${found}::uuid[]) OFFSET 0) AS named
      WHERE ${where} ${ordered}`);
  }
  const near =
    await find(Prisma.sql`(SELECT * FROM "Customer" WHERE ${where} ${ordered} LIMIT ${MAX_LOOKED_AT}) AS listed
    WHERE ${named(search)} ${ordered}`);
  return near.length === Math.abs(page.take) ? near : idsByDay(db, scope, { ...filter, search }, page);
}

/** The rows of a page in SQL, from the cursor on, their order, and their number. */
function pageSql(scope: Scope, range: TimeRange, { take, cursor }: PagePosition) {
  const [operator, order] = take < 0 ? [Prisma.sql`>`, Prisma.sql`ASC`] : [Prisma.sql`<`, Prisma.sql`DESC`];
  const beyond = cursor
    ? Prisma.sql`AND ("createdAt", "id") ${operator} (${cursor.createdAt}, ${cursor.id}::uuid)`
    : Prisma.empty;
  return {
    where: Prisma.sql`${customersWhere(scope, range)} ${beyond}`,
    ordered: Prisma.sql`ORDER BY "createdAt" ${order}, "id" ${order}`,
    limit: Prisma.sql`LIMIT ${Math.abs(take)}`,
  };
}

/**
 * A page of the customers that a search finds, read in turn from each day that has customers of
 * the list, until the page is full.
 */
async function idsByDay(
  db: Pick<DbTransaction, '$queryRaw'>,
  scope: Scope,
  { search, ...range }: CustomerFilter & { readonly search: string },
  page: PagePosition,
): Promise<string[]> {
  const { where, ordered, limit } = pageSql(scope, range, page);
  const take = Math.abs(page.take);
  const [start, beyondDay] =
    page.take < 0
      ? [
          Prisma.sql`${page.cursor?.createdAt ?? '-infinity'}::timestamptz - interval '24 hours'`,
          Prisma.sql`>= "days"."day" + interval '24 hours'`,
        ]
      : [
          Prisma.sql`${page.cursor?.createdAt ?? 'infinity'}::timestamptz + interval '1 ms'`,
          Prisma.sql`< "days"."day"`,
        ];
  // OFFSET 0 keeps PostgreSQL from reading the list, newest first, in search of matches.
  const matches = namings(search).map(
    (naming) => Prisma.sql`(SELECT "id", "createdAt" FROM (
        SELECT * FROM "Customer" WHERE ${customersWhere(scope, {})} AND ${DAY} = "next"."day" AND ${naming} OFFSET 0
      ) AS "matches" WHERE ${where} ${ordered} ${limit})`,
  );
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    WITH RECURSIVE "days" AS (
      SELECT ${start} AS "day", '{}'::uuid[] AS "ids"
      UNION ALL
      SELECT "next"."day", "days"."ids" || "some"."ids" FROM "days"
      CROSS JOIN LATERAL (
        SELECT ${DAY} AS "day" FROM "Customer"
        WHERE ${customersWhere(scope, range)} AND "createdAt" ${beyondDay} ${ordered} LIMIT 1
      ) AS "next"
      CROSS JOIN LATERAL (
        SELECT array_agg("id" ${ordered}) AS "ids" FROM (${Prisma.join(matches, ' UNION ')}) AS "found"
      ) AS "some"
      WHERE cardinality("days"."ids") < ${take}::int
    )
    SELECT unnest("ids"[:${take}::int]) AS "id"
    FROM (SELECT "ids" FROM "days" ORDER BY cardinality("ids") DESC LIMIT 1) AS "last"`);
  return rows.map(({ id }) => id);
}

/**
 * The customers that a search finds; undefined if there are too many. The order is that of the
 * indexes, each read up to a bound.
 */
async function idsNamed(
  db: Pick<DbTransaction, '$queryRaw'>,
  scope: Scope,
  search: string,
): Promise<string[] | undefined> {
  validSearch('search', search, 0);
  const own = customersWhere(scope, {});
  const limit = Prisma.sql`LIMIT ${MAX_SORTED_MATCHES + 1}`;
  const [byEmail, byCustomerId, byWallet] = namings(search);
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    (SELECT "id" FROM "Customer" WHERE ${own} AND ${byEmail}
      ORDER BY "merchantId", "environment", lower("email") USING ~<~ ${limit})
    UNION
    (SELECT "id" FROM "Customer" WHERE ${own} AND ${byCustomerId}
      ORDER BY "merchantId", "environment", "customerId" USING ~<~ ${limit})
    UNION
    (SELECT "id" FROM "Customer" WHERE ${own} AND ${byWallet} ORDER BY "email" ${limit})
    ${limit}`);
  return rows.length > MAX_SORTED_MATCHES ? undefined : rows.map(({ id }) => id);
}
