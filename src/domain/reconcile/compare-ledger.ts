import type { AppContext } from '../../app.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { settleWaitingTransfers } from '../payment/settle-transactions.ts';

/** A payment that does not say what the transfers say that it was made of. */
export interface LedgerDifference {
  readonly paymentId: string;
  readonly booked: bigint;
  readonly transferred: bigint;
  readonly signatures: readonly string[];
}

/**
 * Compares the ledger's transfers since a slot with their payments, and books those that are on none although their
 * subscription is known: a process may have died between the two. Answers with what differs, which is for a person.
 */
export async function compareLedger(
  ctx: AppContext,
  environment: Environment,
  since: bigint,
): Promise<LedgerDifference[]> {
  const waiting = await ctx.db.$queryRaw<{ address: string }[]>`
    SELECT DISTINCT t."subscriptionAddress" AS "address"
    FROM "ChainTransfer" t JOIN "Subscription" s
      ON s."environment" = t."environment" AND s."address" = t."subscriptionAddress"
    WHERE t."environment" = ${environment}::"Environment" AND t."paymentId" IS NULL AND t."slot" > ${since}`;
  for (const { address } of waiting) await settleWaitingTransfers(ctx, environment, address);
  return ctx.db.$queryRaw<LedgerDifference[]>`
    SELECT t."paymentId", p."amount" AS "booked", sum(t."amount")::bigint AS "transferred",
      array_agg(t."signature") AS "signatures"
    FROM "ChainTransfer" t JOIN "Payment" p ON p."id" = t."paymentId"
    WHERE t."paymentId" IN (
      SELECT "paymentId" FROM "ChainTransfer"
      WHERE "environment" = ${environment}::"Environment" AND "slot" > ${since})
    GROUP BY t."paymentId", p."amount", p."status"
    HAVING sum(t."amount") <> p."amount" OR p."status" <> 'SUCCEEDED'`;
}
