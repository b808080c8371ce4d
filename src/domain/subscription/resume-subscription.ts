import type { DbTransaction } from '../../db.ts';
import { recordEvent } from '../event/record-event.ts';
import { type BillableSubscription, metadataOf } from '../payment/billable.ts';
import { collectAgain } from './collect-again.ts';

/** The customer took the cancellation back on chain. The caller has locked the row. */
export async function resumeSubscription(
  tx: DbTransaction,
  subscription: BillableSubscription,
  at: Date,
): Promise<boolean> {
  const { id, merchantId, environment, address, walletAddress, customer } = subscription;
  const resumed = { from: 'CANCELLED', reason: 'resumed_on_chain' } as const;
  const nextPaymentAt = await collectAgain(tx, subscription, resumed, at);
  if (!nextPaymentAt) return false;
  await recordEvent(tx, {
    merchantId,
    environment,
    subscriptionId: id,
    at,
    type: 'subscription.resumed',
    data: {
      subscriptionId: address,
      customer: { email: customer.email, walletAddress },
      nextPaymentDate: nextPaymentAt.toISOString(),
      metadata: metadataOf(subscription),
    },
  });
  return true;
}
