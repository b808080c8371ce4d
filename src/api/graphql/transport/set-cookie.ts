import type { OpenedSession } from '../../../domain/accounts/sign-in/open-session.ts';
import { invalidRequest } from '../../../errors.ts';

/** Sets the response cookie to the token of a member session; null clears the cookie. */
export type SetCookie = (session: Pick<OpenedSession, 'token' | 'maxAgeSeconds'> | null) => void;

/**
 * The function that sets the response cookie.
 *
 * @throws BillingError invalid_request over a WebSocket, whose responses carry no cookies
 */
export function cookieOf({ setCookie }: { readonly setCookie?: SetCookie }): SetCookie {
  if (setCookie) return setCookie;
  throw invalidRequest('query', 'Sign in and out over HTTP: a WebSocket cannot set a cookie.');
}
