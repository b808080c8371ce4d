import type { DbTransaction } from '../../db.ts';

/** Why a subscription is in its status: the reason of its newest change. */
export async function lastReason(
  tx: Pick<DbTransaction, 'subscriptionTransition'>,
  subscriptionId: string,
): Promise<string | undefined> {
  const last = await tx.subscriptionTransition.findFirst({
    where: { subscriptionId },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    select: { reason: true },
  });
  return last?.reason;
}
