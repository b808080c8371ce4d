import type { OpenedSession } from '../domain/sign-in/open-session.ts';
import { invalidRequest } from '../errors.ts';
import type { GraphqlContext } from './context.ts';

/** What the answer's cookie becomes: that of a session, or null for none. */
export type SetCookie = (session: Pick<OpenedSession, 'token' | 'maxAgeSeconds'> | null) => void;

/**
 * What sets the cookie of the answer.
 *
 * @throws BillingError invalid_request over a WebSocket: its answers carry no cookies
 */
export function cookieOf({ setCookie }: Pick<GraphqlContext, 'setCookie'>): SetCookie {
  if (setCookie) return setCookie;
  throw invalidRequest('query', 'Sign in, and out, over HTTP: a WebSocket sets no cookie.');
}
