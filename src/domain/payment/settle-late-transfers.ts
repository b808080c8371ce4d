import type { AppContext } from '../../app.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { settleWaitingTransfers } from './settle-transactions.ts';

const MOST_AT_ONCE = 100;

/**
 * Books transfers that were seen before their subscription was known, and that whoever made it known did not book: it
 * died, or did not see a transfer that came in at the same moment.
 */
export async function settleLateTransfers(ctx: AppContext, environment: Environment): Promise<void> {
  // Any of them: one that cannot be booked must not stand in the way of the others for ever.
  const waiting = await ctx.db.$queryRaw<{ address: string }[]>`
    SELECT t."subscriptionAddress" AS "address" FROM "ChainTransfer" t
    WHERE t."environment" = ${environment}::"Environment" AND t."paymentId" IS NULL
      AND EXISTS (
        SELECT 1 FROM "Subscription" s
        WHERE s."environment" = t."environment" AND s."address" = t."subscriptionAddress"
          AND s."chainCreatedAt" <= t."periodStart")
    GROUP BY t."subscriptionAddress" ORDER BY random() LIMIT ${MOST_AT_ONCE}`;
  for (const { address } of waiting) {
    await settleWaitingTransfers(ctx, environment, address).catch((err: unknown) =>
      ctx.log.error({ err, environment, subscription: address }, 'transfers cannot be booked'),
    );
  }
}
