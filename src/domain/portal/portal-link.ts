import type { AppContext } from '../../app.ts';
import type { DbTransaction } from '../../db/db.ts';
import { BillingError, notFound } from '../../errors.ts';
import { type PortalFlow, type PortalLink, Prisma } from '../../generated/prisma/client.ts';
import { generateSessionToken, hashPortalToken } from '../../secrets.ts';
import type { Scope } from '../access/scope.ts';
import type { ActingScope } from '../audit/actor.ts';
import { newFields } from '../audit/changed-fields.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { refusedRedirect } from '../checkout/redirect-url.ts';
import { getCustomer } from '../customer/get-customer.ts';
import { newestSubscriptionNamed } from '../input/subscription-named.ts';
import { isStorable, validUrl } from '../input/valid-text.ts';
import { holderOf, MAX_DELETED, type OpenedPortal, openPortal, type PortalHolder } from './portal-session.ts';

/** A link works once, within this time. */
export const LINK_MINUTES = 15;

export interface PortalLinkOptions {
  readonly flow?: PortalFlow | undefined;
  /** The URL to which the portal leads back. */
  readonly returnUrl?: string | undefined;
}

export interface PortalLinkInput extends PortalLinkOptions {
  /** Our id of the customer. */
  readonly customer: string;
}

export interface CreatedLink {
  /** Id of the stored link. */
  readonly id: string;
  readonly url: string;
  readonly expiresAt: Date;
}

/**
 * Creates a link with which a merchant's customer enters the portal without signing in. It shows
 * the subscriptions of that customer only. The merchant must have signed the customer in.
 *
 * @throws BillingError not_found, param `customer`; invalid_request, param `returnUrl`
 */
export async function createPortalSession(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock'>,
  scope: ActingScope,
  { customer, flow = 'ALL', returnUrl }: PortalLinkInput,
): Promise<CreatedLink> {
  const url = returnUrl === undefined ? null : await allowedReturn(ctx, scope, returnUrl);
  return ctx.db.$transaction(async (tx) => {
    const { id: customerId } = await getCustomer({ db: tx }, scope, customer, {}, 'customer');
    await recordAudit(ctx, tx, scope, {
      action: 'portal_session.created',
      targetId: customerId,
      changes: newFields({ flow, ...(url !== null && { returnUrl: url }) }),
    });
    const { merchantId, environment } = scope;
    const holder = { kind: 'customer', merchantId, environment, customerId } as const;
    return makeLink(ctx, tx, holder, { flow, returnUrl: url });
  });
}

/**
 * Creates a link for the customer of a subscription, which is named by its address or our id.
 *
 * @throws BillingError not_found, param `subscriptionId`; invalid_request, param `returnUrl`
 */
export async function createPortalSessionOf(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock'>,
  scope: ActingScope,
  subscriptionId: string,
  options: PortalLinkOptions,
): Promise<CreatedLink> {
  const subscription = isStorable(subscriptionId)
    ? await ctx.db.subscription.findFirst({
        ...newestSubscriptionNamed(scope, subscriptionId),
        select: { customerId: true },
      })
    : null;
  if (!subscription) throw notFound('subscription', 'subscriptionId');
  return createPortalSession(ctx, scope, { ...options, customer: subscription.customerId });
}

async function allowedReturn({ db }: Pick<AppContext, 'db'>, scope: Scope, text: string): Promise<string> {
  const returnUrl = validUrl('returnUrl', text);
  const refused = await refusedRedirect(db, scope, { returnUrl });
  if (refused) throw refused;
  return returnUrl;
}

/** Stores a link as a hash. */
export async function makeLink(
  { config, clock }: Pick<AppContext, 'config' | 'clock'>,
  tx: Pick<DbTransaction, 'portalLink' | '$executeRaw'>,
  { kind, ...holder }: Exclude<PortalHolder, { kind: 'wallet' }>,
  { flow, returnUrl }: Pick<PortalLink, 'flow' | 'returnUrl'>,
): Promise<CreatedLink> {
  const now = clock.now();
  const token = generateSessionToken();
  const expiresAt = new Date(now.getTime() + LINK_MINUTES * 60_000);
  await tx.$executeRaw(Prisma.sql`
    DELETE FROM "PortalLink" WHERE "id" IN (
      SELECT "id" FROM "PortalLink" WHERE "expiresAt" <= ${now} LIMIT ${MAX_DELETED} FOR UPDATE SKIP LOCKED)`);
  const { id } = await tx.portalLink.create({
    select: { id: true },
    data: {
      ...holder,
      flow,
      returnUrl,
      hash: hashPortalToken(config.secretKey, 'link', token),
      createdAt: now,
      expiresAt,
    },
  });
  // Browsers do not send the part after `#` to servers, so the token is in no log. Mail programs
  // may open links, so the page of a mailed link waits for a click.
  const name = kind === 'email' ? 'mail' : 'link';
  return { id, url: new URL(`/portal#${name}=${token}`, config.publicUrl).href, expiresAt };
}

/**
 * Opens a portal session with the token of a link. The first use deletes the link in one statement,
 * so only one of two concurrent calls gets it.
 *
 * @throws BillingError authentication_error if it is unknown, used or expired
 */
export async function signInByLink(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock'>,
  token: string,
): Promise<OpenedPortal> {
  const hash = hashPortalToken(ctx.config.secretKey, 'link', token);
  const opened = await ctx.db.$transaction(async (tx) => {
    const [link] = await tx.$queryRaw<PortalLink[]>(
      Prisma.sql`DELETE FROM "PortalLink" WHERE "hash" = ${hash} RETURNING *`,
    );
    if (!link || ctx.clock.now() >= link.expiresAt) return undefined;
    return openPortal(ctx, tx, holderOf({ ...link, walletAddress: null }), link);
  });
  if (!opened) throw unusableLink();
  return opened;
}

function unusableLink(): BillingError {
  return new BillingError(
    'authentication_error',
    'This link has expired or was used before. Ask for a new one.',
    'token',
  );
}
