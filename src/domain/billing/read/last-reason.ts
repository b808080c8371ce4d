import type { DbTransaction } from '../../../db/db.ts';
import type { SubscriptionTransition } from '../../../generated/prisma/client.ts';

type Reading = Pick<DbTransaction, 'subscriptionTransition'>;

/** The latest transitions of a subscription, newest first. */
export function lastChanges(
  tx: Reading,
  subscriptionId: string,
  take: number,
): Promise<SubscriptionTransition[]> {
  return tx.subscriptionTransition.findMany({
    where: { subscriptionId },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take,
  });
}

/** The reason of a subscription's current status. */
export async function lastReason(tx: Reading, subscriptionId: string): Promise<string | undefined> {
  const [last] = await lastChanges(tx, subscriptionId, 1);
  return last?.reason;
}

/** The reasons of the current statuses of these subscriptions, by subscription id. */
export async function lastReasons(
  tx: Pick<DbTransaction, '$queryRaw'>,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (subscriptionIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ subscriptionId: string; reason: string }[]>`
    SELECT s."id" AS "subscriptionId", t."reason"
    FROM unnest(${subscriptionIds}::uuid[]) AS s("id") CROSS JOIN LATERAL (
      SELECT "reason" FROM "SubscriptionTransition" WHERE "subscriptionId" = s."id"
      ORDER BY "at" DESC, "id" DESC LIMIT 1) t`;
  return new Map(rows.map(({ subscriptionId, reason }) => [subscriptionId, reason]));
}
