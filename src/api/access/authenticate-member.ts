import type { AppContext } from '../../app.ts';
import { authenticateSession } from '../../domain/accounts/sign-in/authenticate-session.ts';
import type { MemberCaller } from '../../domain/kernel/access/caller.ts';
import { invalidRequest } from '../../errors.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { sessionToken } from './session-cookie.ts';

/** Names the environment of a member's request: `test` (the default) or `live`. */
export const ENVIRONMENT_HEADER = 'x-dues-environment';

/** The values of that header, and of `environment` in the query of an export. */
export const ENVIRONMENT_NAMES = ['test', 'live'] as const;

/**
 * The environment in the query of a link to an export or to the preview of a mail. Such a link
 * sends no headers, so it cannot use the header. Exports refuse other values.
 */
export function environmentInLink(
  method: string,
  path: string,
  environment: string | undefined,
): string | undefined {
  const isLink =
    method === 'GET' && ['/api/exports/', '/mail/preview/'].some((prefix) => path.startsWith(prefix));
  return isLink ? ENVIRONMENT_NAMES.find((name) => name === environment) : undefined;
}

/**
 * The parts of a request that identify a signed-in member: the method, the headers that browsers
 * add, and the environment header of our pages.
 */
export interface BrowserRequest {
  /**
   * The HTTP method. A WebSocket is opened with `GET`, but its operations may change data: see
   * `isSocket`.
   */
  readonly method: string;
  readonly isSocket?: boolean;
  readonly cookie: string | undefined;
  readonly origin: string | undefined;
  /** The `Sec-Fetch-Site` header. */
  readonly fetchSite: string | undefined;
  readonly environment: string | undefined;
}

/**
 * The signed-in member, in the environment of the request; undefined if there is none. The cookie
 * is ignored if the request does not come from our own pages or the member session has ended.
 *
 * @throws BillingError invalid_request, param `x-dues-environment`
 */
export async function authenticateMember(
  ctx: Pick<AppContext, 'config' | 'db' | 'wallClock'>,
  request: BrowserRequest,
): Promise<MemberCaller | undefined> {
  const token = request.cookie && sessionToken(ctx.config, request.cookie);
  if (!token || !isOurPage(request, new URL(ctx.config.publicUrl).origin)) return undefined;
  return authenticateSession(ctx, token, environmentOf(request.environment));
}

/**
 * Whether a request comes from our own pages. Browsers send the origin with every request that may
 * change data and with every WebSocket. Only reads may come without it, for example a link to an
 * export. Other sites cannot send our cookie with such a link, because it is SameSite=Strict.
 */
export function isOurPage(
  {
    method,
    isSocket,
    origin,
    fetchSite,
  }: Pick<BrowserRequest, 'method' | 'isSocket' | 'origin' | 'fetchSite'>,
  ourOrigin: string,
): boolean {
  if (origin !== undefined) return origin === ourOrigin;
  const isRead = !isSocket && (method === 'GET' || method === 'HEAD');
  return isRead && (fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none');
}

function environmentOf(name: string | undefined): Environment {
  if (name === undefined || name === 'test') return 'TEST';
  if (name === 'live') return 'LIVE';
  throw invalidRequest(ENVIRONMENT_HEADER, `${ENVIRONMENT_HEADER} must be test or live.`);
}
