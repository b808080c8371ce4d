import type { AppContext } from '../../../app.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';

/** The timelines of the database that a merchant has not checked yet, as one. */
export interface UncheckedRestore {
  /** Number of the newest one. */
  readonly number: number;
  /** Rows that were written from then on may be lost; null if the database does not know it. */
  readonly lostFrom: Date | null;
  readonly lostUntil: Date;
  /** Whether payments are collected again, because the chain was read. */
  readonly isCollecting: boolean;
}

/**
 * What a merchant has to check after the database came back without its newest rows; null if
 * nothing. A merchant that was created later has nothing to check.
 */
export async function uncheckedRestore(
  { db }: Pick<AppContext, 'db'>,
  { merchantId, environment }: Scope,
): Promise<UncheckedRestore | null> {
  const inEnvironment = Prisma.sql`"environment" = ${environment}::"Environment"`;
  const lostUntil = Prisma.sql`coalesce("lostUntil", "detectedAt")`;
  const [restore] = await db.$queryRaw<UncheckedRestore[]>`
    SELECT max("number") AS "number", min("lostFrom") AS "lostFrom",
      max(${lostUntil}) AS "lostUntil", bool_and("readAt" IS NOT NULL) AS "isCollecting"
    FROM "DatabaseTimeline"
    WHERE ${inEnvironment}
      AND "number" > (
        SELECT coalesce(max("number"), 1) FROM "RestoreCheck"
        WHERE "merchantId" = ${merchantId}::uuid AND ${inEnvironment}
      )
      AND ${lostUntil} > (SELECT "createdAt" FROM "Merchant" WHERE "id" = ${merchantId}::uuid)
    HAVING count(*) > 0`;
  return restore ?? null;
}
