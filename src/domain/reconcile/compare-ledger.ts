import type { AppContext } from '../../app.ts';
import { MAX_NUMBER } from '../../chain/accounts/fields.ts';
import type { Environment } from '../../generated/prisma/client.ts';

/** A payment whose amount or status does not match its transfers. */
export interface LedgerDifference {
  readonly paymentId: string;
  readonly booked: bigint;
  readonly transferred: bigint;
  readonly signatures: readonly string[];
}

/**
 * Compares the ledger's transfers after a slot with their payments, and returns the payments that
 * differ. A sum beyond a column counts as the largest number, as in the payment. It changes
 * nothing: an operator must find the cause. Transfers without a payment are settled by
 * `settle-waiting-transfers.ts`.
 */
export async function compareLedger(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
  since: bigint,
): Promise<LedgerDifference[]> {
  return db.$queryRaw<LedgerDifference[]>`
    SELECT t."paymentId", p."amount" AS "booked", least(sum(t."amount"), ${MAX_NUMBER})::bigint AS "transferred",
      array_agg(t."signature") AS "signatures"
    FROM "ChainTransfer" t JOIN "Payment" p ON p."id" = t."paymentId"
    WHERE t."paymentId" IN (
      SELECT "paymentId" FROM "ChainTransfer"
      WHERE "environment" = ${environment}::"Environment" AND "slot" > ${since})
    GROUP BY t."paymentId", p."amount", p."status"
    HAVING least(sum(t."amount"), ${MAX_NUMBER}) <> p."amount" OR p."status" <> 'SUCCEEDED'`;
}
