import { isIPv6 } from 'node:net';
import { createMiddleware } from 'hono/factory';
import type { AppContext } from '../app.ts';
import type { Scope } from '../domain/merchant/scope.ts';
import { BillingError } from '../errors.ts';
import type { ApiEnv } from './api-env.ts';
import { authenticate } from './authenticate.ts';
import { CHECKOUT_CREATION, OTHER_REQUESTS, type RateLimits, rateLimitHeaders } from './rate-limit.ts';

/** Finds out who asks, counts the request, and puts the count on whatever the answer turns out to be. */
export function identify(ctx: AppContext, limits: RateLimits) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const answer = await authenticate(ctx, c.req.header('authorization')).then(
      (scope) => ({ scope, refusal: undefined }),
      (refusal: unknown) => ({ scope: undefined, refusal }),
    );
    c.set('scope', answer.scope);
    c.set('refusal', answer.refusal);
    c.set('caller', callerOf(answer.scope, c.env.incoming.socket.remoteAddress));
    const createsCheckout = c.req.method === 'POST' && c.req.path === '/checkout/create';
    const policy = createsCheckout ? CHECKOUT_CREATION : OTHER_REQUESTS;
    c.set('verdict', await limits.take(policy, c.var.caller));
    await next();
    for (const [name, value] of Object.entries(rateLimitHeaders(c.var.verdict))) c.header(name, value);
  });
}

/** Turns away who asks too much, and who came with a wrong key. */
export const admit = createMiddleware<ApiEnv>(async (c, next) => {
  if (!c.var.verdict.allowed) throw tooManyRequests();
  if (c.var.refusal !== undefined) throw c.var.refusal;
  await next();
});

export function tooManyRequests(): BillingError {
  return new BillingError('rate_limit_exceeded', 'Too many requests; try again at X-RateLimit-Reset.');
}

/** By merchant and environment, so that more keys buy nothing; without a key by address. */
export function callerOf(scope: Scope | undefined, remoteAddress: string | undefined): string {
  if (scope) return `${scope.merchantId}/${scope.environment}`;
  return networkOf(remoteAddress ?? 'unknown');
}

// One IPv6 customer has a whole /64 to choose addresses from.
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail.split(':');
    groups.push(...Array<string>(8 - groups.length - after.length).fill('0'), ...after);
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
