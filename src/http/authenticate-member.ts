import type { AppContext } from '../app.ts';
import type { MemberCaller } from '../domain/merchant/caller.ts';
import { authenticateSession } from '../domain/sign-in/authenticate-session.ts';
import { invalidRequest } from '../errors.ts';
import type { Environment } from '../generated/prisma/client.ts';
import { sessionToken } from './session-cookie.ts';

/** Where a member says which environment a request is for: `test` (so too without it) or `live`. */
export const ENVIRONMENT_HEADER = 'x-dues-environment';

/** What a browser sends along by itself, and the header that our pages add. */
export interface BrowserRequest {
  /** `GET` for the request that opens a WebSocket: what is asked over it is another matter (`isSocket`). */
  readonly method: string;
  readonly isSocket?: boolean;
  readonly cookie: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`. */
  readonly fetchSite: string | undefined;
  readonly environment: string | undefined;
}

/**
 * Who is signed in, in the environment that the request names. A cookie counts for nothing where the request is not one of
 * our own pages', or the session is over: the browser is nobody then, and nobody's requests are no danger to a member.
 *
 * @throws BillingError invalid_request, param `x-dues-environment`
 */
export async function authenticateMember(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock'>,
  request: BrowserRequest,
): Promise<MemberCaller | undefined> {
  const token = request.cookie && sessionToken(ctx.config, request.cookie);
  if (!token || !isOurPage(request, new URL(ctx.config.publicUrl).origin)) return undefined;
  return authenticateSession(ctx, token, environmentOf(request.environment));
}

/**
 * Browsers name the origin of whatever may change something, and of every WebSocket. Only plain reads may come without:
 * a link to an export, say, which no other site can follow with our cookie, for that is SameSite=Strict.
 */
function isOurPage({ method, isSocket, origin, fetchSite }: BrowserRequest, ours: string): boolean {
  if (origin !== undefined) return origin === ours;
  const isRead = !isSocket && (method === 'GET' || method === 'HEAD');
  return isRead && (fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none');
}

function environmentOf(name: string | undefined): Environment {
  if (name === undefined || name === 'test') return 'TEST';
  if (name === 'live') return 'LIVE';
  throw invalidRequest(ENVIRONMENT_HEADER, `${ENVIRONMENT_HEADER} must be test or live.`);
}
