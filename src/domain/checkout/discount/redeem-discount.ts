import type { DbTransaction } from '../../../db/db.ts';
import type { Subscription } from '../../../generated/prisma/client.ts';
import { afterCommit } from '../../../jobs/in-transaction.ts';
import { countLateDiscount } from '../../../observability/metrics/counters.ts';
import type { AgreedDiscount } from '../../billing/lifecycle/start-subscription.ts';

/**
 * The discount with which a wallet of a session signed; null if there is none. It applies even if its
 * redemption was given back meanwhile: the price that was shown is the price that is charged.
 */
export async function agreedDiscount(tx: DbTransaction, sessionId: string): Promise<AgreedDiscount | null> {
  const held = await tx.discountRedemption.findUnique({ where: { sessionId }, include: { discount: true } });
  if (!held) return null;
  const { id, name, percentBps, amount, periods } = held.discount;
  return { redemptionId: held.id, discountId: id, name, percentBps, amount, periods };
}

/** Records that a subscription has the discount. A redemption that was given back is taken again, over the limit. */
export async function redeemDiscount(
  tx: DbTransaction,
  { redemptionId: id, discountId }: AgreedDiscount,
  { id: subscriptionId, environment }: Subscription,
): Promise<void> {
  const { status } = await tx.discountRedemption.findUniqueOrThrow({ where: { id } });
  await tx.discountRedemption.update({
    where: { id },
    data: { status: 'REDEEMED', subscriptionId, expiresAt: null },
  });
  if (status !== 'RELEASED') return;
  await tx.discount.update({ where: { id: discountId }, data: { taken: { increment: 1 } } });
  afterCommit(tx, () => countLateDiscount(environment));
}
