import type { AppContext } from '../../app.ts';
import type { Subscription } from '../../generated/prisma/client.ts';
import { refusedRedirect } from './allowed-redirect.ts';

/**
 * The merchant's page to which the customer of a subscription goes back from a receipt, a mail or
 * the portal; null if the merchant has named none. It is the `cancelUrl` of the subscription's
 * newest checkout, because a `successUrl` may do something each time it is opened; without one it
 * is the `successUrl`.
 *
 * The query is left out: it may belong to that visit, and receipts are passed on. So is a URL that
 * the merchant's settings do not allow any more.
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
  const named = session?.cancelUrl ?? session?.successUrl;
  if (named == null) return null;
  const { origin, pathname } = new URL(named);
  const url = `${origin}${pathname}`;
  const refused = await refusedRedirect(db, { merchantId, environment }, { url });
  return refused ? null : url;
}
