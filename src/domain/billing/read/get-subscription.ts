import type { AppContext } from '../../../app.ts';
import { notFound } from '../../../errors.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { newestSubscriptionNamed } from '../../kernel/input/subscription-named.ts';
import { isStorable } from '../../kernel/input/valid-text.ts';
import { type BillableSubscription, billable } from '../schedule/billable.ts';

/**
 * Finds the newest subscription at an address, or one by our id.
 *
 * @throws BillingError not_found, param `subscription`
 */
export async function getSubscription(
  { db }: Pick<AppContext, 'db'>,
  scope: Scope,
  subscription: string,
): Promise<BillableSubscription> {
  const found = isStorable(subscription)
    ? await db.subscription.findFirst({ ...newestSubscriptionNamed(scope, subscription), ...billable })
    : null;
  if (!found) throw notFound('subscription', 'subscription');
  return found;
}
