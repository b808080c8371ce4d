import { notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { type GraphqlContext, isOwner } from './context.ts';

/**
 * A session by its id, which is the permission to see it. With a key, only the key's own.
 *
 * @throws BillingError not_found, param `id`
 */
export async function findSession(
  context: GraphqlContext,
  id: string,
  query: { include?: Prisma.CheckoutSessionInclude; select?: Prisma.CheckoutSessionSelect } = {},
) {
  const session = await context.app.db.checkoutSession.findUnique({ ...query, where: { id } });
  // A member may be a customer too: somebody who opens a checkout in the browser that they manage their own shop in.
  const byKey = context.caller?.kind === 'api_key';
  if (!session || (byKey && !isOwner(context, session))) throw notFound('checkout session', 'id');
  return session;
}
