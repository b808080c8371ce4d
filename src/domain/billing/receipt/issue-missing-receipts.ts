import type { Environment } from '../../../generated/prisma/client.ts';
import { type IssuingContext, issueReceipts } from './issue-receipts.ts';

/** Maximum payments per call; the oldest come first. */
const MAX_PER_CALL = 5_000;

/**
 * Issues receipts for payments that became final without one: before receipts existed, or in a
 * worker of an earlier release. Payments that were set aside are retried after an hour. Returns whether
 * there may be more of them.
 *
 * @throws errors of the cluster or the database
 */
export async function issueMissingReceipts(
  ctx: IssuingContext,
  environment: Environment,
  max = MAX_PER_CALL,
): Promise<boolean> {
  // Literals, so that the partial index "Payment_no_receipt" is used.
  const missing = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Payment"
    WHERE "environment" = ${environment}::"Environment" AND "status" = 'SUCCEEDED' AND "finalized"
      AND "receiptNumber" IS NULL AND ("finalityCheckAt" IS NULL OR "finalityCheckAt" <= ${ctx.clock.now()})
    ORDER BY "paidAt" LIMIT ${max}`;
  const done = await issueReceipts(
    ctx,
    environment,
    missing.map(({ id }) => id),
  );
  return missing.length === max && done > 0;
}
