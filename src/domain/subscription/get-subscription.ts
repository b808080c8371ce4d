import type { AppContext } from '../../app.ts';
import { notFound } from '../../errors.ts';
import type { Scope } from '../merchant/scope.ts';
import { isId, isStorable } from '../merchant/valid-text.ts';
import { type BillableSubscription, billable } from '../payment/billable.ts';

/**
 * By its address on chain, which names the newest life there, or by our id, which names one life.
 *
 * @throws BillingError not_found, param `subscription`
 */
export async function getSubscription(
  { db }: Pick<AppContext, 'db'>,
  { merchantId, environment }: Scope,
  subscription: string,
): Promise<BillableSubscription> {
  const named = isId(subscription) ? { id: subscription } : { address: subscription };
  const found = isStorable(subscription)
    ? await db.subscription.findFirst({
        where: { merchantId, environment, ...named },
        orderBy: { chainCreatedAt: 'desc' },
        ...billable,
      })
    : null;
  if (!found) throw notFound('subscription', 'subscription');
  return found;
}
