import { parse, serialize } from 'hono/utils/cookie';
import type { Config } from '../../config.ts';
import type { OpenedSession } from '../../domain/accounts/sign-in/open-session.ts';

// With this prefix browsers refuse the cookie from other hosts and over plain http:
// https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-22#section-4.1.3.2
const SECURE_PREFIX = '__Host-';
const MEMBER = 'dues_session';
const PORTAL = 'dues_portal';
const LINK_REQUEST = 'dues_portal_request';

type CookieConfig = Pick<Config, 'publicUrl'>;
type NewSession = Pick<OpenedSession, 'token' | 'maxAgeSeconds'>;

/** The value of the member-session cookie in a `Cookie` header. */
export function sessionToken(config: CookieConfig, cookie: string): string | undefined {
  return cookieValue(config, MEMBER, cookie);
}

/** The value of the portal-session cookie in a `Cookie` header. */
export function portalToken(config: CookieConfig, cookie: string): string | undefined {
  return cookieValue(config, PORTAL, cookie);
}

/**
 * The `Set-Cookie` header that sets the cookie of a member session; null removes it. Scripts cannot
 * read the cookie, and requests from other sites do not send it.
 */
export function sessionCookie(config: CookieConfig, session: NewSession | null): string {
  return cookieOf(config, MEMBER, session);
}

/** The `Set-Cookie` header that sets the cookie of a portal session; null removes it. */
export function portalCookie(config: CookieConfig, session: NewSession | null): string {
  return cookieOf(config, PORTAL, session);
}

/** The value of the cookie of a browser that requested a link into the portal. */
export function linkRequestToken(config: CookieConfig, cookie: string): string | undefined {
  return cookieValue(config, LINK_REQUEST, cookie);
}

/** The `Set-Cookie` header that marks a browser that requests a link; null removes it. */
export function linkRequestCookie(config: CookieConfig, session: NewSession | null): string {
  return cookieOf(config, LINK_REQUEST, session);
}

function cookieValue({ publicUrl }: CookieConfig, name: string, cookie: string): string | undefined {
  const fullName = isSecure(publicUrl) ? SECURE_PREFIX + name : name;
  return parse(cookie, fullName)[fullName];
}

function cookieOf({ publicUrl }: CookieConfig, name: string, session: NewSession | null): string {
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
