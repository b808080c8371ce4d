import type { DbTransaction } from '../../db.ts';
import type { SubscriptionTransition } from '../../generated/prisma/client.ts';

type Reading = Pick<DbTransaction, 'subscriptionTransition'>;

/** The newest changes of a subscription's status, newest first. */
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

/** Why a subscription is in its status: the reason of its newest change. */
export async function lastReason(tx: Reading, subscriptionId: string): Promise<string | undefined> {
  const [last] = await lastChanges(tx, subscriptionId, 1);
  return last?.reason;
}
