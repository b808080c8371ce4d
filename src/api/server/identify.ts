import type { HonoRequest } from 'hono';
import { createMiddleware } from 'hono/factory';
import { authenticate, type Credentials } from '../access/authenticate.ts';
import { ENVIRONMENT_HEADER, environmentInLink } from '../access/authenticate-member.ts';
import { callerAddress, networkOf } from '../access/caller-address.ts';
import { countsAgainst } from '../access/counts-against.ts';
import type { GraphqlServer } from '../graphql/context.ts';
import { putHeaders } from '../http/answer-headers.ts';
import type { ApiEnv } from '../http/api-env.ts';
import {
  CHECKOUT_CREATION,
  LINK_CHECKOUTS,
  type RatePolicy,
  rateLimitHeaders,
  tooManyRequests,
  uncountedVerdict,
} from '../rate-limit/rate-limit.ts';

/** Identifies the caller, counts the request, and sets the rate-limit headers of the response. */
export function identify(server: GraphqlServer) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const credentials = credentialsOf(c.req);
    const answer = await authenticate(server, credentials).then(
      (caller) => ({ caller, refusal: undefined }),
      (refusal: unknown) => ({ caller: undefined, refusal }),
    );
    c.set('caller', answer.caller);
    c.set('refusal', answer.refusal);
    const { remoteAddress } = c.env.incoming.socket;
    const address = callerAddress(remoteAddress, c.req.header('x-forwarded-for'), server.proxies);
    const against = countsAgainst(answer.caller, address);
    if (answer.caller) server.admission.knownCallers.note(credentials, against);
    else server.admission.knownCallers.forget(credentials);
    c.set('address', address);
    c.set('countsAgainst', against);
    const policy = checkoutPolicy(c.req) ?? server.limits.policyOf(against);
    // Visitors of a payment link count by their address, whatever credentials they send.
    const counted = policy === LINK_CHECKOUTS ? networkOf(address) : against;
    const isUncounted = server.admission.isUncounted(c.env.incoming);
    c.set('verdict', isUncounted ? uncountedVerdict(policy) : await server.limits.take(policy, counted));
    await next();
    putHeaders(c, rateLimitHeaders(c.get('verdict')));
  });
}

/** The policy of requests that create a checkout; undefined for others. */
function checkoutPolicy({ method, path }: Pick<HonoRequest, 'method' | 'path'>): RatePolicy | undefined {
  if (method !== 'POST') return undefined;
  if (path === '/checkout/create') return CHECKOUT_CREATION;
  return path.startsWith('/pay/') ? LINK_CHECKOUTS : undefined;
}

function credentialsOf(request: HonoRequest): Credentials {
  const header = (name: string) => request.header(name);
  return {
    method: request.method,
    authorization: header('authorization'),
    cookie: header('cookie'),
    origin: header('origin'),
    fetchSite: header('sec-fetch-site'),
    environment:
      environmentInLink(request.method, request.path, request.query('environment')) ??
      header(ENVIRONMENT_HEADER),
  };
}

/** Refuses requests over the limit and requests with a wrong key. */
export const admit = createMiddleware<ApiEnv>(async (c, next) => {
  if (!c.get('verdict').allowed) throw tooManyRequests();
  const refusal = c.get('refusal');
  if (refusal !== undefined) throw refusal;
  await next();
});
