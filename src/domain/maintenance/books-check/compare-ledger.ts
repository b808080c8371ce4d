import type { AppContext } from '../../../app.ts';
import { MAX_NUMBER } from '../../../chain/accounts/fields.ts';
import type { Environment } from '../../../generated/prisma/client.ts';

/** A payment whose amount or status does not match its transfers. */
export interface LedgerDifference {
  readonly paymentId: string;
  readonly booked: bigint;
  readonly transferred: bigint;
  readonly signatures: readonly string[];
}

/** Transfers per statement, and more of its last slot. After an outage there may be millions. */
export const TRANSFERS_PER_PART = 5_000;

/** A part of the ledger that was compared. */
export interface ComparedPart {
  /** Everything up to this slot was compared. */
  readonly slot: bigint;
  readonly differences: readonly LedgerDifference[];
}

/**
 * Compares the ledger's transfers after `since` and up to `until` with their payments, in parts,
 * and returns the payments that differ. A sum beyond a column counts as the largest number, as in
 * the payment. It changes nothing: an operator must find the cause. Transfers without a payment are
 * settled by `settle-waiting-transfers.ts`.
 */
export async function* compareLedger(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
  { since, until }: { readonly since: bigint; readonly until: bigint },
): AsyncGenerator<ComparedPart> {
  let after = since;
  do {
    const [last] = await db.chainTransfer.findMany({
      where: { environment, slot: { gt: after, lte: until } },
      orderBy: { slot: 'asc' },
      skip: TRANSFERS_PER_PART - 1,
      take: 1,
      select: { slot: true },
    });
    const slot = last?.slot ?? until;
    yield { slot, differences: await differencesBetween(db, environment, after, slot) };
    after = slot;
  } while (after < until);
}

function differencesBetween(
  db: AppContext['db'],
  environment: Environment,
  after: bigint,
  until: bigint,
): Promise<LedgerDifference[]> {
  return db.$queryRaw<LedgerDifference[]>`
    SELECT t."paymentId", p."paidAmount" AS "booked", least(sum(t."amount"), ${MAX_NUMBER})::bigint AS "transferred",
      array_agg(t."signature") AS "signatures"
    FROM "ChainTransfer" t JOIN "Payment" p ON p."id" = t."paymentId"
    WHERE t."paymentId" IN (
      SELECT "paymentId" FROM "ChainTransfer"
      WHERE "environment" = ${environment}::"Environment" AND "slot" > ${after} AND "slot" <= ${until})
    GROUP BY t."paymentId", p."paidAmount", p."status"
    HAVING least(sum(t."amount"), ${MAX_NUMBER}) <> p."paidAmount" OR p."status" <> 'SUCCEEDED'`;
}
