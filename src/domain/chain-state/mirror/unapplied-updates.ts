import type { AppContext } from '../../../app.ts';
import type { Environment } from '../../../generated/prisma/client.ts';

/**
 * Maximum open rows of one environment. So many failures have a common cause, which an operator
 * must find.
 */
export const MAX_UNAPPLIED = 20_000;

/** Counts the open updates, which could not be applied, up to the maximum. */
export async function countUnapplied(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
): Promise<number> {
  const [row] = await db.$queryRaw<{ open: number }[]>`
    SELECT count(*)::int AS "open" FROM (
      SELECT 1 FROM "UnappliedUpdate"
      WHERE "environment" = ${environment}::"Environment" AND "resolvedAt" IS NULL LIMIT ${MAX_UNAPPLIED}
    ) AS open_rows`;
  return row?.open ?? 0;
}
