import { v7 as uuidv7 } from 'uuid';
import type { DbTransaction } from '../../../db/db.ts';
import type { CheckoutSession, Subscription } from '../../../generated/prisma/client.ts';
import { afterCommit } from '../../../jobs/in-transaction.ts';
import { countLateDiscount } from '../../../observability/metrics/counters.ts';
import { recordUsedUp } from '../../billing/discount/record-used-up.ts';
import type { AgreedDiscount } from '../../billing/lifecycle/start-subscription.ts';
import { identitiesOf } from './customer-limit.ts';
import { lockRedemption } from './lock-redemption.ts';

/**
 * The discount with which a wallet of a session signed; null if there is none. It applies even if its
 * redemption was given back meanwhile, or none was reserved because the app built the transaction: the price
 * that was shown is the price that is charged. The caller holds the lock of the session.
 */
export async function agreedDiscount(
  tx: DbTransaction,
  session: CheckoutSession,
  wallet: string,
  now: Date,
): Promise<AgreedDiscount | null> {
  const held = await lockRedemption(tx, session.id);
  if (!held && session.discountId === null) return null;
  const include = { discount: true } as const;
  const { id: redemptionId, discount } = held
    ? await tx.discountRedemption.findUniqueOrThrow({ where: { id: held.id }, include })
    : await tx.discountRedemption.create({ data: unreserved(session, wallet, now), include });
  const { id: discountId, name, percentBps, amount, periods } = discount;
  return { redemptionId, discountId, name, percentBps, amount, periods };
}

/** A redemption that counts as given back until the subscription has started. */
function unreserved(session: CheckoutSession, wallet: string, now: Date) {
  const { id: sessionId, discountId } = session;
  const identities = identitiesOf(session, wallet);
  return {
    id: uuidv7(),
    discountId: discountId as string,
    sessionId,
    identities,
    status: 'RELEASED',
    createdAt: now,
  } as const;
}

/** Records that a subscription has the discount. A redemption that was given back is taken again, over the limit. */
export async function redeemDiscount(
  tx: DbTransaction,
  { redemptionId: id, discountId }: AgreedDiscount,
  { id: subscriptionId, environment }: Subscription,
  now: Date,
): Promise<void> {
  const { status } = await tx.discountRedemption.findUniqueOrThrow({ where: { id } });
  await tx.discountRedemption.update({
    where: { id },
    data: { status: 'REDEEMED', subscriptionId, expiresAt: null },
  });
  if (status === 'RELEASED') {
    await tx.discount.update({ where: { id: discountId }, data: { taken: { increment: 1 } } });
    afterCommit(tx, () => countLateDiscount(environment));
  }
  await recordUsedUp(tx, discountId, now);
}
