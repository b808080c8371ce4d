import { unixSeconds } from '../../../chain/chain-time.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { collectablePeriod } from '../schedule/collectable-period.ts';
import { paymentDueAt } from '../schedule/period.ts';
import type { BookedSubscription } from './book.ts';

/**
 * The index of the first payment of a subscription that is not written yet, from `now` on. What a payment
 * owes is fixed when it is written.
 */
export async function firstUnwritten(
  tx: Pick<DbTransaction, 'payment'>,
  subscription: BookedSubscription,
  now: Date,
): Promise<bigint> {
  const schedule = scheduleOf(subscription);
  const running = collectablePeriod(schedule, unixSeconds(now));
  const next = paymentDueAt(schedule, unixSeconds(subscription.nextPaymentAt));
  const first = next && next.index > running.index ? next : running;
  const { periodStart } = first;
  const where = { subscriptionId: subscription.id, periodStart, kind: 'PERIOD' as const };
  const isWritten = (await tx.payment.count({ where })) > 0;
  return isWritten ? first.index + 1n : first.index;
}
