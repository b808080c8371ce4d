import type { DbTransaction } from '../../db.ts';
import { asRows } from '../../db-rows.ts';
import { type Environment, Prisma } from '../../generated/prisma/client.ts';
import { whenCommitted } from '../../metrics/count-when-committed.ts';
import { countFees } from '../../metrics/counters.ts';

/** How a transaction of ours ended, where it landed. */
export interface LandedTransaction {
  readonly signature: string;
  readonly slot: bigint;
  readonly feeLamports: bigint | null;
}

/** Those of the transactions whose every attempt is over have landed; those of others are passed over. */
export async function closeSettled(
  tx: DbTransaction,
  environment: Environment,
  transactions: readonly LandedTransaction[],
  at: Date,
): Promise<void> {
  await close(tx, environment, transactions, at, Prisma.sql`'LANDED'`);
}

/** These landed with an error: nothing moved, and the fee was paid all the same. */
export async function closeFailed(
  tx: DbTransaction,
  environment: Environment,
  transactions: readonly (LandedTransaction & { readonly error: object })[],
  at: Date,
): Promise<void> {
  await close(tx, environment, transactions, at, Prisma.sql`'FAILED'`);
}

/** These can never land: their blockhash is past, and no block has them. */
export async function closeExpired(tx: DbTransaction, ids: readonly string[], at: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE "TransferTransaction" t SET "status" = 'EXPIRED', "settledAt" = ${at}
    WHERE t."id" = ANY(${[...ids]}::uuid[]) AND t."status" = 'SUBMITTED' AND ${NO_ATTEMPT_OPEN}`;
}

/** What dies before its attempts are settled leaves a transaction that the follower finds again. */
const NO_ATTEMPT_OPEN = Prisma.sql`
  NOT EXISTS (SELECT 1 FROM "Attempt" a WHERE a."transactionId" = t."id" AND a."status" = 'SUBMITTED')`;

async function close(
  tx: DbTransaction,
  environment: Environment,
  transactions: readonly LandedTransaction[],
  at: Date,
  status: Prisma.Sql,
): Promise<void> {
  const rows = transactions.map(({ signature, slot, feeLamports, ...more }) => ({
    ...{ signature, slot, feeLamports },
    error: 'error' in more ? more.error : null,
  }));
  // The fee is split evenly; what does not divide goes to the first ones, a lamport each.
  const [closed] = await tx.$queryRaw<{ fees: bigint }[]>`
    WITH closed AS (
      UPDATE "TransferTransaction" t
      SET "status" = ${status}, "slot" = r."slot", "feeLamports" = r."feeLamports", "error" = r."error",
        "settledAt" = ${at}
      FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("signature" text, "slot" bigint, "feeLamports" bigint,
        "error" jsonb)
      WHERE t."signature" = r."signature" AND t."environment" = ${environment}::"Environment"
        AND t."status" = 'SUBMITTED' AND ${NO_ATTEMPT_OPEN}
      RETURNING t."id", t."feeLamports"
    ), parts AS (
      SELECT a."id", closed."feeLamports" AS "fee", count(*) OVER (PARTITION BY closed."id") AS "parts",
        row_number() OVER (PARTITION BY closed."id" ORDER BY a."instruction", a."id") AS "part"
      FROM closed JOIN "Attempt" a ON a."transactionId" = closed."id"
      WHERE closed."feeLamports" IS NOT NULL
    ), split AS (
      UPDATE "Attempt"
      SET "feeLamports" = parts."fee" / parts."parts" + (parts."part" <= parts."fee" % parts."parts")::int
      FROM parts WHERE "Attempt"."id" = parts."id"
    )
    SELECT coalesce(sum("feeLamports"), 0)::bigint AS "fees" FROM closed`;
  whenCommitted(tx, () => countFees(environment, closed?.fees ?? 0n));
}
