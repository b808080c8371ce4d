import type { Db } from '../../../db/db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { beginningWith } from '../../kernel/input/beginning-with.ts';
import { discountHit, type SearchHit } from './search-hit.ts';

/** The discounts whose name or code begins with the text, ignoring case, by name or by code. */
export async function findDiscounts(
  db: Db,
  { merchantId, environment }: Scope,
  text: string,
  max: number,
): Promise<SearchHit[]> {
  const beginning = beginningWith(text);
  const [byCode, byName] = ['code', 'name'].map((name) => {
    const column = Prisma.sql`lower(${Prisma.raw(`"${name}"`)})`;
    // The order is that of the index, so that at most `max` rows are read.
    return Prisma.sql`(SELECT "id" FROM "Discount"
      WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment"
        AND ${column} LIKE lower(${beginning})
      ORDER BY "merchantId", "environment", ${column} USING ~<~ LIMIT ${max})`;
  });
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`${byCode} UNION ${byName}`);
  const discounts = await db.discount.findMany({
    where: { id: { in: rows.map(({ id }) => id) } },
    orderBy: { name: 'asc' },
    take: max,
  });
  return discounts.map(discountHit);
}
