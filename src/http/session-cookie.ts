import { parse, serialize } from 'hono/utils/cookie';
import type { Config } from '../config.ts';
import type { OpenedSession } from '../domain/sign-in/open-session.ts';

// The prefix has browsers refuse the cookie from other hosts and over plain http:
// https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-22#section-4.1.3.2
const SECURE_NAME = '__Host-dues_session';
const PLAIN_NAME = 'dues_session';

/** The value of the session's cookie, out of a `Cookie` header. */
export function sessionToken({ publicUrl }: Pick<Config, 'publicUrl'>, cookie: string): string | undefined {
  const name = isSecure(publicUrl) ? SECURE_NAME : PLAIN_NAME;
  return parse(cookie, name)[name];
}

/**
 * The `Set-Cookie` header of a session, or, for null, the one that takes it away. Scripts cannot read it, and no page of
 * another site makes the browser send it.
 */
export function sessionCookie(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  session: Pick<OpenedSession, 'token' | 'maxAgeSeconds'> | null,
): string {
  const secure = isSecure(publicUrl);
  return serialize(secure ? SECURE_NAME : PLAIN_NAME, session?.token ?? '', {
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
