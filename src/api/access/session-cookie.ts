import { parse, serialize } from 'hono/utils/cookie';
import type { Config } from '../../config.ts';
import type { OpenedSession } from '../../domain/sign-in/open-session.ts';

// With this prefix browsers refuse the cookie from other hosts and over plain http:
// https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-22#section-4.1.3.2
const SECURE_PREFIX = '__Host-';
const MEMBER = 'dues_session';
const PORTAL = 'dues_portal';

type Served = Pick<Config, 'publicUrl'>;
type Opened = Pick<OpenedSession, 'token' | 'maxAgeSeconds'>;

/** The value of the member-session cookie in a `Cookie` header. */
export function sessionToken(config: Served, cookie: string): string | undefined {
  return cookieValue(config, MEMBER, cookie);
}

/** The value of the portal-session cookie in a `Cookie` header. */
export function portalToken(config: Served, cookie: string): string | undefined {
  return cookieValue(config, PORTAL, cookie);
}

/**
 * The `Set-Cookie` header of a member session or, for null, of its removal. Scripts cannot read the
 * cookie, and requests from other sites do not send it.
 */
export function sessionCookie(config: Served, session: Opened | null): string {
  return cookieOf(config, MEMBER, session);
}

/** The same of a portal session. */
export function portalCookie(config: Served, session: Opened | null): string {
  return cookieOf(config, PORTAL, session);
}

function cookieValue({ publicUrl }: Served, name: string, cookie: string): string | undefined {
  const full = isSecure(publicUrl) ? SECURE_PREFIX + name : name;
  return parse(cookie, full)[full];
}

function cookieOf({ publicUrl }: Served, name: string, session: Opened | null): string {
  const secure = isSecure(publicUrl);
  return serialize(secure ? SECURE_PREFIX + name : name, session?.token ?? '', {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure,
    maxAge: session?.maxAgeSeconds ?? 0,
  });
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}
