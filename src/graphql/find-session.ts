import { type PreparedStatement, runPrepared } from '../db.ts';
import { isStorable } from '../domain/merchant/valid-text.ts';
import { notFound } from '../errors.ts';
import type { CheckoutSession, Prisma } from '../generated/prisma/client.ts';
import { type GraphqlContext, isOwner } from './context.ts';

type Query = { include?: Prisma.CheckoutSessionInclude; select?: Prisma.CheckoutSessionSelect };

/** What every query for a session reads of it. */
const STANDING: PreparedStatement = {
  name: 'checkout-session.standing',
  text: 'SELECT "id", "merchantId", "environment", "status", "expiresAt" FROM "CheckoutSession" WHERE "id" = $1',
};
const STANDING_COLUMNS = new Set(['id', 'merchantId', 'environment', 'status', 'expiresAt']);

/**
 * A session by its id, which is the permission to see it. With a key, only the key's own.
 *
 * @throws BillingError not_found, param `id`
 */
export async function findSession(context: GraphqlContext, id: string, query: Query = {}) {
  const session = await readSession(context, id, query);
  // A member may be a customer too: somebody who opens a checkout in the browser that they manage their own shop in.
  const byKey = context.caller?.kind === 'api_key';
  if (!session || (byKey && !isOwner(context, session))) throw notFound('checkout session', 'id');
  return session;
}

/** Right after a session was made nothing else is asked of it, and that often. */
async function readSession(
  { app: { db } }: GraphqlContext,
  id: string,
  query: Query,
): Promise<CheckoutSession | null> {
  const { include, select } = query;
  const asksLittle = select && Object.keys(select).every((name) => STANDING_COLUMNS.has(name));
  if (!asksLittle || include || !isStorable(id)) {
    return db.checkoutSession.findUnique({ ...query, where: { id } });
  }
  const [session] = await runPrepared<CheckoutSession>(db, STANDING, [id]);
  return session ?? null;
}
