import type { IncomingMessage } from 'node:http';
import type { HonoRequest } from 'hono';
import { createMiddleware } from 'hono/factory';
import { type Credentials, credentialsOf } from '../access/authenticate.ts';
import { environmentInLink } from '../access/authenticate-member.ts';
import { networkOf } from '../access/caller-address.ts';
import { identifyCaller } from '../admission/identify-caller.ts';
import type { GraphqlServer } from '../graphql/context.ts';
import { putHeaders } from '../http/answer-headers.ts';
import type { ApiEnv } from '../http/api-env.ts';
import {
  checkoutPolicy,
  LINK_CHECKOUTS,
  rateLimitHeaders,
  tooManyRequests,
  uncountedVerdict,
} from '../rate-limit/rate-limit.ts';

/** Identifies the caller, counts the request, and sets the rate-limit headers of the response. */
export function identify(server: GraphqlServer) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const { incoming } = c.env;
    const address = server.admission.addressOf(incoming);
    const { caller, refusal, limitKey } = await identifyCaller(
      server,
      credentialsIn(c.req, incoming),
      address,
    );
    c.set('caller', caller);
    c.set('refusal', refusal);
    c.set('address', address);
    c.set('countsAgainst', limitKey);
    const policy = checkoutPolicy(c.req.method, c.req.path) ?? server.limits.policyOf(limitKey);
    // Visitors of a payment link count by their address, whatever credentials they send.
    const counted = policy === LINK_CHECKOUTS ? networkOf(address) : limitKey;
    const isUncounted = server.admission.isUncounted(incoming);
    c.set('verdict', isUncounted ? uncountedVerdict(policy) : await server.limits.take(policy, counted));
    await next();
    putHeaders(c, rateLimitHeaders(c.get('verdict')));
  });
}

/** The credentials of a request. The link to an export names the environment in its query. */
function credentialsIn(request: HonoRequest, incoming: IncomingMessage): Credentials {
  const { method, path } = request;
  const environment = environmentInLink(method, path, request.query('environment'));
  return credentialsOf(incoming, environment === undefined ? {} : { environment });
}

/** Refuses requests over the limit and requests with a wrong key. */
export const admit = createMiddleware<ApiEnv>((c, next) => {
  if (!c.get('verdict').allowed) throw tooManyRequests();
  const refusal = c.get('refusal');
  if (refusal !== undefined) throw refusal;
  return next();
});
