import type { HonoRequest } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Caller } from '../domain/merchant/caller.ts';
import { BillingError } from '../errors.ts';
import type { GraphqlServer } from '../graphql/context.ts';
import { putHeaders } from './answer-headers.ts';
import type { ApiEnv } from './api-env.ts';
import { authenticate, type Credentials } from './authenticate.ts';
import { ENVIRONMENT_HEADER } from './authenticate-member.ts';
import { callerAddress, networkOf } from './caller-address.ts';
import { CHECKOUT_CREATION, OTHER_REQUESTS, rateLimitHeaders } from './rate-limit.ts';

/** Finds out who asks, counts the request, and puts the count on whatever the answer turns out to be. */
export function identify(server: GraphqlServer) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const answer = await authenticate(server, credentialsOf(c.req)).then(
      (caller) => ({ caller, refusal: undefined }),
      (refusal: unknown) => ({ caller: undefined, refusal }),
    );
    c.set('caller', answer.caller);
    c.set('refusal', answer.refusal);
    const { remoteAddress } = c.env.incoming.socket;
    const address = callerAddress(remoteAddress, c.req.header('x-forwarded-for'), server.proxies);
    const against = countsAgainst(answer.caller, address);
    c.set('address', address);
    c.set('countsAgainst', against);
    const createsCheckout = c.req.method === 'POST' && c.req.path === '/checkout/create';
    const policy = createsCheckout ? CHECKOUT_CREATION : OTHER_REQUESTS;
    c.set('verdict', await server.limits.take(policy, against));
    await next();
    putHeaders(c, rateLimitHeaders(c.get('verdict')));
  });
}

function credentialsOf(request: HonoRequest): Credentials {
  const header = (name: string) => request.header(name);
  return {
    method: request.method,
    authorization: header('authorization'),
    cookie: header('cookie'),
    origin: header('origin'),
    fetchSite: header('sec-fetch-site'),
    environment: header(ENVIRONMENT_HEADER),
  };
}

/** Turns away who asks too much, and who came with a wrong key. */
export const admit = createMiddleware<ApiEnv>(async (c, next) => {
  if (!c.get('verdict').allowed) throw tooManyRequests();
  const refusal = c.get('refusal');
  if (refusal !== undefined) throw refusal;
  await next();
});

export function tooManyRequests(): BillingError {
  return new BillingError('rate_limit_exceeded', 'Too many requests; try again at X-RateLimit-Reset.');
}

/** By merchant and environment, so that more keys buy nothing; without a key by address. */
export function countsAgainst(caller: Caller | undefined, address: string): string {
  if (caller) return `${caller.merchantId}/${caller.environment}`;
  return networkOf(address);
}
