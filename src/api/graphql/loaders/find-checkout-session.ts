import type { CreatedSession } from '../../../domain/checkout/session/create-checkout-session.ts';
import { OPENED_COLUMNS } from '../../../domain/checkout/session/open-session.ts';
import { notFound } from '../../../errors.ts';
import type { CheckoutSession, Prisma } from '../../../generated/prisma/client.ts';
import { type GraphqlContext, isOwner } from '../context.ts';

type Query = { include?: Prisma.CheckoutSessionInclude; select?: Prisma.CheckoutSessionSelect };

const OPENED: ReadonlySet<string> = new Set(OPENED_COLUMNS);

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
  const session = await context.app.db.checkoutSession.findUnique({ ...query, where: { id } });
  // A signed-in member may also be a customer, with a checkout open in the same browser.
  const byKey = context.caller?.kind === 'api_key';
  if (!session || (byKey && !isOwner(context, session))) throw notFound('checkout session', 'id');
  return session;
}

/** A session that was just created, which is read again only if more of it is asked for. */
export async function createdSession(
  context: GraphqlContext,
  { sessionId, opened }: CreatedSession,
  { include, select }: Query,
): Promise<CheckoutSession> {
  const isAll = !include && select && Object.keys(select).every((name) => OPENED.has(name));
  if (opened && isAll) return opened as CheckoutSession;
  return findCheckoutSession(context, sessionId, { include, select });
}
