import type { AppContext } from '../../app.ts';
import type { DbTransaction } from '../../db/db.ts';
import { BillingError } from '../../errors.ts';
import { type PortalFlow, type PortalSession, Prisma } from '../../generated/prisma/client.ts';
import { generateSessionToken, hashPortalToken } from '../../secrets.ts';
import type { Scope } from '../kernel/access/scope.ts';

/** A portal session ends after this time without use. */
const IDLE_MS = 3_600_000;
/** A portal session ends after this time in any case. */
const LIFETIME_MS = 12 * 3_600_000;
/** Smaller extensions are not stored. */
const MIN_EXTENSION_MS = 60_000;
/** Maximum expired rows deleted with each new one. */
export const MAX_DELETED = 100;

/**
 * The holder of the subscriptions that a portal session shows: a wallet, one customer of a
 * merchant, or a merchant's customers with an email. It is not a `Caller`: no function for
 * merchants accepts it.
 */
export type PortalHolder =
  | { readonly kind: 'wallet'; readonly walletAddress: string }
  | ({ readonly kind: 'customer'; readonly customerId: string } & Scope)
  | ({ readonly kind: 'email'; readonly email: string } & Scope);

/** The purpose of a portal session. */
export interface PortalPurpose {
  readonly flow: PortalFlow;
  /** The URL to which the portal leads back. */
  readonly returnUrl: string | null;
}

/** The customer of a request. */
export interface PortalCaller extends PortalPurpose {
  readonly sessionId: string;
  readonly holder: PortalHolder;
}

export interface OpenedPortal {
  /** The value of the cookie, which only the browser has. */
  readonly token: string;
  /** Maximum lifetime, however much it is used. */
  readonly maxAgeSeconds: number;
}

/** Stores a portal session as a hash. */
export async function openPortal(
  { config, wallClock }: Pick<AppContext, 'config' | 'wallClock'>,
  tx: Pick<DbTransaction, 'portalSession' | '$executeRaw'>,
  holder: PortalHolder,
  { flow, returnUrl }: PortalPurpose,
): Promise<OpenedPortal> {
  const now = wallClock.now();
  const token = generateSessionToken();
  await tx.$executeRaw(Prisma.sql`
    DELETE FROM "PortalSession" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "PortalSession" WHERE "idleUntil" <= ${now} LIMIT ${MAX_DELETED} FOR UPDATE SKIP LOCKED))`);
  const { kind: _, ...columns } = holder;
  await tx.portalSession.create({
    data: {
      ...columns,
      flow,
      returnUrl,
      hash: hashPortalToken(config.secretKey, 'session', token),
      createdAt: now,
      idleUntil: new Date(now.getTime() + IDLE_MS),
      expiresAt: new Date(now.getTime() + LIFETIME_MS),
    },
  });
  return { token, maxAgeSeconds: LIFETIME_MS / 1_000 };
}

/**
 * Finds the customer of a cookie, and extends the idle time. Undefined if the portal session is
 * over: the browser can then sign in.
 */
export async function authenticatePortal(
  { config, db, wallClock }: Pick<AppContext, 'config' | 'db' | 'wallClock'>,
  token: string,
): Promise<PortalCaller | undefined> {
  const now = wallClock.now();
  const hash = hashPortalToken(config.secretKey, 'session', token);
  const session = await db.portalSession.findUnique({ where: { hash } });
  if (!session || now >= session.idleUntil || now >= session.expiresAt) return undefined;
  const { id, idleUntil, flow, returnUrl } = session;
  const moved = new Date(now.getTime() + IDLE_MS);
  if (moved.getTime() - idleUntil.getTime() >= MIN_EXTENSION_MS) {
    // Not `update`, which would fail if the portal session has just ended.
    await db.portalSession.updateMany({ where: { id }, data: { idleUntil: moved } });
  }
  return { sessionId: id, holder: holderOf(session), flow, returnUrl };
}

/** The holder of a stored session or link. The database refuses a row with another combination. */
export function holderOf({
  walletAddress,
  merchantId,
  environment,
  customerId,
  email,
}: Pick<
  PortalSession,
  'walletAddress' | 'merchantId' | 'environment' | 'customerId' | 'email'
>): PortalHolder {
  if (walletAddress !== null) return { kind: 'wallet', walletAddress };
  if (merchantId !== null && environment !== null) {
    if (customerId !== null) return { kind: 'customer', merchantId, environment, customerId };
    if (email !== null) return { kind: 'email', merchantId, environment, email };
  }
  throw new Error('The portal session or link has no holder');
}

/** Ends the portal session. */
export async function signOutOfPortal(
  { db }: Pick<AppContext, 'db'>,
  { sessionId: id }: PortalCaller,
): Promise<void> {
  await db.portalSession.deleteMany({ where: { id } });
}

/** The error of a request without a portal session. */
export function notSignedIn(): BillingError {
  return new BillingError('authentication_error', 'Sign in to see your subscriptions.');
}
