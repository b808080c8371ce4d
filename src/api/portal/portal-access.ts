import { createMiddleware } from 'hono/factory';
import type { AppContext } from '../../app.ts';
import { authenticatePortal, notSignedIn, type PortalCaller } from '../../domain/portal/portal-session.ts';
import { BillingError, invalidRequest } from '../../errors.ts';
import { isOurPage } from '../access/authenticate-member.ts';
import { portalToken } from '../access/session-cookie.ts';
import { JSON_ONLY } from '../errors/error-response.ts';
import type { ApiEnv } from '../http/api-env.ts';

/** The context values of the portal's routes. */
export interface PortalEnv extends ApiEnv {
  Variables: ApiEnv['Variables'] & {
    /** The customer; undefined if no customer is signed in. */
    portal: PortalCaller | undefined;
  };
}

/**
 * Identifies the customer by the cookie of the portal. API keys and member sessions have no effect
 * here, and the portal's cookie has no effect elsewhere. Only our own pages may call these routes.
 */
export function identifyPortal(ctx: Pick<AppContext, 'config' | 'db' | 'wallClock'>) {
  return createMiddleware<PortalEnv>(async (c, next) => {
    const request = {
      method: c.req.method,
      origin: c.req.header('origin'),
      fetchSite: c.req.header('sec-fetch-site'),
    };
    if (!isOurPage(request, new URL(ctx.config.publicUrl).origin)) {
      throw new BillingError('authentication_error', 'Only the pages of the portal may call this.', 'Origin');
    }
    // Forms of other sites cannot send JSON.
    if (c.req.method === 'POST' && !/^application\/json *(;|$)/i.test(c.req.header('content-type') ?? '')) {
      throw invalidRequest('Content-Type', JSON_ONLY);
    }
    const cookie = c.req.header('cookie');
    const token = cookie && portalToken(ctx.config, cookie);
    c.set('portal', token ? await authenticatePortal(ctx, token) : undefined);
    c.header('Cache-Control', 'no-store');
    await next();
  });
}

/** Returns the signed-in customer. @throws BillingError authentication_error without one */
export function portalCallerOf(caller: PortalCaller | undefined): PortalCaller {
  if (caller) return caller;
  throw notSignedIn();
}
