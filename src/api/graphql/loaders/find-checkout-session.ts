import { type PreparedStatement, runPrepared } from '../../../db/db.ts';
import type { CreatedSession } from '../../../domain/checkout/session/create-checkout-session.ts';
import { isStorable } from '../../../domain/kernel/input/valid-text.ts';
import { notFound } from '../../../errors.ts';
import type { CheckoutSession, Prisma } from '../../../generated/prisma/client.ts';
import { type GraphqlContext, isOwner } from '../context.ts';

type Query = { include?: Prisma.CheckoutSessionInclude; select?: Prisma.CheckoutSessionSelect };

/** Reads the columns that every query for a checkout session needs. */
const READ_STATUS: PreparedStatement = {
  name: 'checkout-session.read-status',
  text: 'SELECT "id", "merchantId", "environment", "status", "expiresAt" FROM "CheckoutSession" WHERE "id" = $1',
};
const STATUS_COLUMNS = new Set(['id', 'merchantId', 'environment', 'status', 'expiresAt']);

/**
 * Finds a checkout session by its id, which gives access to it. An API key finds only sessions of
 * its own merchant and environment.
 *
 * @throws BillingError not_found, param `id`
 */
export async function findCheckoutSession(
  context: GraphqlContext,
  id: string,
  query: Query = {},
): Promise<CheckoutSession> {
  const session = await readSession(context, id, query);
  // A signed-in member may also be a customer, with a checkout open in the same browser.
  const byKey = context.caller?.kind === 'api_key';
  if (!session || (byKey && !isOwner(context, session))) throw notFound('checkout session', 'id');
  return session;
}

/** A session that was just created, which is read again only if more of it is asked for. */
export async function createdSession(
  context: GraphqlContext,
  { sessionId, opened }: CreatedSession,
  query: Query,
): Promise<CheckoutSession> {
  if (opened && needsStatusOnly(query)) return opened as CheckoutSession;
  return findCheckoutSession(context, sessionId, query);
}

function needsStatusOnly({ include, select }: Query): boolean {
  return !include && select !== undefined && Object.keys(select).every((name) => STATUS_COLUMNS.has(name));
}

/** Uses a prepared statement for the query that is common after a checkout. */
async function readSession(
  { app: { db } }: GraphqlContext,
  id: string,
  query: Query,
): Promise<CheckoutSession | null> {
  if (!needsStatusOnly(query) || !isStorable(id)) {
    return db.checkoutSession.findUnique({ ...query, where: { id } });
  }
  const [session] = await runPrepared<CheckoutSession>(db, READ_STATUS, [id]);
  return session ?? null;
}
