import type { AppContext } from '../../../app.ts';
import type { Environment } from '../../../generated/prisma/client.ts';

/** The number of transactions in flight, counted up to `max`. */
export async function countInFlight(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
  max: number,
): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count" FROM (
      SELECT 1 FROM "TransferTransaction"
      WHERE "environment" = ${environment}::"Environment" AND "status" = 'SUBMITTED' LIMIT ${max}
    ) AS open`;
  return row?.count ?? 0;
}
