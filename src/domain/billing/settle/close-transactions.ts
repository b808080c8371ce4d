import { recordsOf } from '../../../db/bulk.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { PREPARED } from '../../../db/prepared.ts';
import { type Environment, Prisma } from '../../../generated/prisma/client.ts';
import { afterCommit } from '../../../jobs/in-transaction.ts';
import { countFees, countTransactionsExpired } from '../../../observability/metrics/counters.ts';

/** A transaction of ours that landed. */
export interface LandedTransaction {
  readonly signature: string;
  readonly slot: bigint;
  readonly feeLamports: bigint | null;
}

/**
 * The parts of a fee that `count` attempts have, in the order of their instructions. If it is not
 * divisible, the first ones have one lamport more.
 */
export function divideFee(fee: bigint, count: number): bigint[] {
  if (count === 0) return [];
  const [part, rest] = [fee / BigInt(count), fee % BigInt(count)];
  return Array.from({ length: count }, (_, index) => (BigInt(index) < rest ? part + 1n : part));
}

/** Marks transactions as LANDED, except those with an attempt that is not settled. */
export async function closeSettled(
  tx: DbTransaction,
  environment: Environment,
  transactions: readonly LandedTransaction[],
  at: Date,
): Promise<void> {
  await close(tx, environment, transactions, at, Prisma.sql`'LANDED'`);
}

/** Marks transactions as FAILED: they landed with an error. Their fees were paid. */
export async function closeFailed(
  tx: DbTransaction,
  environment: Environment,
  transactions: readonly (LandedTransaction & { readonly error: object })[],
  at: Date,
): Promise<void> {
  await close(tx, environment, transactions, at, Prisma.sql`'FAILED'`);
}

/**
 * Marks transactions as EXPIRED: their blockhash has expired, and no block up to the slot contains
 * them.
 */
export async function closeExpired(
  tx: DbTransaction,
  environment: Environment,
  { ids, slot }: { readonly ids: readonly string[]; readonly slot: bigint },
  at: Date,
): Promise<void> {
  const closed = await tx.$executeRaw`
    UPDATE "TransferTransaction" t SET "status" = 'EXPIRED', "expiredAtSlot" = ${slot}, "settledAt" = ${at}
    WHERE t."id" = ANY(${[...ids]}::uuid[]) AND t."status" = 'SUBMITTED' AND ${NO_ATTEMPT_OPEN}`;
  afterCommit(tx, () => countTransactionsExpired(environment, closed));
}

/** A transaction stays SUBMITTED until its attempts are settled, so that the follower finds it. */
const NO_ATTEMPT_OPEN = Prisma.sql`
  NOT EXISTS (SELECT 1 FROM "Attempt" a WHERE a."transactionId" = t."id" AND a."status" = 'SUBMITTED')`;

const PART = Prisma.sql`(parts."fee" / parts."parts" + (parts."part" <= parts."fee" % parts."parts")::int)`;

async function close(
  tx: DbTransaction,
  environment: Environment,
  transactions: readonly LandedTransaction[],
  at: Date,
  status: Prisma.Sql,
): Promise<void> {
  const rows = transactions.map(({ signature, slot, feeLamports, ...otherFields }) => ({
    signature,
    slot,
    feeLamports,
    error: 'error' in otherFields ? otherFields.error : null,
  }));
  // `divideFee` among all attempts of a transaction. Those of a transaction whose transfers settled all of
  // them have their parts already, and are not written again.
  const [closed] = await tx.$queryRaw<{ fees: bigint }[]>`${PREPARED}
    WITH closed AS (
      UPDATE "TransferTransaction" t
      SET "status" = ${status}, "slot" = r."slot", "feeLamports" = r."feeLamports", "error" = r."error",
        "settledAt" = ${at}
      FROM ${recordsOf('TransferTransaction', rows)} AS r
      WHERE t."signature" = r."signature" AND t."environment" = ${environment}::"Environment"
        AND t."status" = 'SUBMITTED' AND ${NO_ATTEMPT_OPEN}
      RETURNING t."id", t."feeLamports"
    ), parts AS (
      SELECT a."id", closed."feeLamports" AS "fee", count(*) OVER (PARTITION BY closed."id") AS "parts",
        row_number() OVER (PARTITION BY closed."id" ORDER BY a."instruction", a."id") AS "part",
        a."feeLamports" AS "written"
      FROM closed JOIN "Attempt" a ON a."transactionId" = closed."id"
      WHERE closed."feeLamports" IS NOT NULL
    ), split AS (
      UPDATE "Attempt"
      SET "feeLamports" = ${PART}
      FROM parts WHERE "Attempt"."id" = parts."id" AND parts."written" IS DISTINCT FROM ${PART}
    )
    SELECT coalesce(sum("feeLamports"), 0)::bigint AS "fees" FROM closed`;
  afterCommit(tx, () => countFees(environment, closed?.fees ?? 0n));
}
