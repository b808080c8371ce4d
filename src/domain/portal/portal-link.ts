import { isDeepStrictEqual } from 'node:util';
import type { AppContext } from '../../app.ts';
import type { DbTransaction } from '../../db/db.ts';
import { BillingError, notFound } from '../../errors.ts';
import { type Merchant, type PortalFlow, type PortalLink, Prisma } from '../../generated/prisma/client.ts';
import { generateSessionToken, hashPortalToken } from '../../secrets.ts';
import { getCustomer } from '../accounts/customer/get-customer.ts';
import { refusedRedirect } from '../accounts/merchant/allowed-redirect.ts';
import type { Scope } from '../kernel/access/scope.ts';
import type { ActingScope } from '../kernel/audit-log/actor.ts';
import { newFields } from '../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../kernel/audit-log/record-audit.ts';
import { newestSubscriptionNamed } from '../kernel/input/subscription-named.ts';
import { isStorable, validUrl } from '../kernel/input/valid-text.ts';
import {
  holderOf,
  MAX_DELETED,
  type OpenedPortal,
  openPortal,
  type PortalCaller,
  type PortalHolder,
} from './portal-session.ts';

/** A link works once, within this time. */
export const LINK_MINUTES = 15;
const LINK_MS = LINK_MINUTES * 60_000;

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
  ctx: Pick<AppContext, 'config' | 'db' | 'clock' | 'wallClock'>,
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
  ctx: Pick<AppContext, 'config' | 'db' | 'clock' | 'wallClock'>,
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
  { config, wallClock }: Pick<AppContext, 'config' | 'wallClock'>,
  tx: Pick<DbTransaction, 'portalLink' | '$executeRaw'>,
  { kind, ...holder }: Exclude<PortalHolder, { kind: 'wallet' }>,
  { flow, returnUrl }: Pick<PortalLink, 'flow' | 'returnUrl'>,
): Promise<CreatedLink> {
  const now = wallClock.now();
  const token = generateSessionToken();
  const expiresAt = new Date(now.getTime() + LINK_MS);
  await tx.$executeRaw(Prisma.sql`
    DELETE FROM "PortalLink" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "PortalLink" WHERE "expiresAt" <= ${now} LIMIT ${MAX_DELETED} FOR UPDATE SKIP LOCKED))`);
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

/** The browser that opens a link. */
export interface LinkBrowser {
  /** The customer who is signed in; undefined if nobody is. */
  readonly caller: PortalCaller | undefined;
  /** The value of the cookie that the browser got with its request for a mailed link. */
  readonly request: string | undefined;
  /** Whether the customer has agreed to sign in as the holder of the link. */
  readonly isConfirmed: boolean;
}

/** A link opens the portal only after a person has agreed to this. The link is still unused. */
export interface LinkQuestion {
  readonly merchant: Merchant;
  /** The customer's address; null if the customer was deleted. */
  readonly email: string | null;
  /** Whether it ends another portal session of the browser. */
  readonly replacesSession: boolean;
}

/**
 * Opens a portal session with the token of a link. The first use deletes the link in one statement,
 * so only one of two concurrent calls gets it.
 *
 * Anyone can send a link to the portal to another person, who would then act for a foreign customer
 * without noticing. So it asks first, and uses nothing, unless this browser requested the mail or
 * is signed in as the same customer.
 *
 * @throws BillingError authentication_error if it is unknown, used or expired
 */
export async function signInByLink(
  ctx: Pick<AppContext, 'config' | 'db' | 'wallClock'>,
  token: string,
  browser: LinkBrowser,
): Promise<OpenedPortal | LinkQuestion> {
  const hash = hashPortalToken(ctx.config.secretKey, 'link', token);
  const found = await ctx.db.portalLink.findUnique({ where: { hash } });
  if (!found || ctx.wallClock.now() >= found.expiresAt) throw unusableLink();
  if (!browser.isConfirmed && !isExpected(ctx, found, browser)) return questionOf(ctx, found, browser);
  return ctx.db.$transaction(async (tx) => {
    const { count } = await tx.portalLink.deleteMany({ where: { hash } });
    if (count === 0) throw unusableLink();
    return openPortal(ctx, tx, holderOf({ ...found, walletAddress: null }), found);
  });
}

/** Whether the browser asked for this link, or is signed in as its holder. */
function isExpected(
  ctx: Pick<AppContext, 'config' | 'wallClock'>,
  link: PortalLink,
  { caller, request }: LinkBrowser,
): boolean {
  const holder = holderOf({ ...link, walletAddress: null });
  if (caller) return isDeepStrictEqual(caller.holder, holder);
  const { email } = link;
  return email !== null && [0, 1].some((ago) => request === linkRequestOf(ctx, email, ago));
}

async function questionOf(
  { db }: Pick<AppContext, 'db'>,
  { merchantId, customerId, email }: PortalLink,
  { caller }: LinkBrowser,
): Promise<LinkQuestion> {
  const [merchant, customer] = await Promise.all([
    db.merchant.findUniqueOrThrow({ where: { id: merchantId } }),
    customerId === null ? null : db.customer.findUnique({ where: { id: customerId } }),
  ]);
  return { merchant, email: email ?? customer?.email ?? null, replacesSession: caller !== undefined };
}

/**
 * The value of the cookie of a browser that requests mailed links for an address. It changes every
 * 15 minutes, and is valid for that time and the next, in which its links expire: a browser that
 * asked once must not sign in without a question for ever.
 *
 * @param ago the number of such times before now
 */
export function linkRequestOf(
  { config, wallClock }: Pick<AppContext, 'config' | 'wallClock'>,
  email: string,
  ago = 0,
): string {
  const time = Math.floor(wallClock.now().getTime() / LINK_MS) - ago;
  return hashPortalToken(config.secretKey, 'request', `${time} ${email.toLowerCase()}`).toString('base64url');
}

function unusableLink(): BillingError {
  return new BillingError(
    'authentication_error',
    'This link has expired or was used before. Ask for a new one.',
    'token',
  );
}
