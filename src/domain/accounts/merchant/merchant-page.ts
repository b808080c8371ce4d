import type { AppContext } from '../../../app.ts';
import type { Subscription } from '../../../generated/prisma/client.ts';
import { refusedRedirect } from './allowed-redirect.ts';

/**
 * The merchant's site, to which the customer of a subscription goes back from a receipt, a mail or
 * the portal; null if the merchant has named none. It is the site of the URLs of the subscription's
 * newest checkout, unless the merchant's settings do not allow them any more.
 *
 * Path and query are left out: they may belong to one visit, receipts are passed on, and the
 * subscription may have had another customer.
 */
export async function merchantPage(
  { db }: Pick<AppContext, 'db'>,
  { id, merchantId, environment }: Pick<Subscription, 'id' | 'merchantId' | 'environment'>,
): Promise<string | null> {
  const session = await db.checkoutSession.findFirst({
    where: { subscriptionId: id, status: 'COMPLETED' },
    orderBy: { completedAt: 'desc' },
    select: { successUrl: true, cancelUrl: true },
  });
  const url = session?.cancelUrl ?? session?.successUrl;
  if (url == null) return null;
  const refused = await refusedRedirect(db, { merchantId, environment }, { url });
  return refused ? null : `${new URL(url).origin}/`;
}
