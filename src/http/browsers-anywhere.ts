import { cors } from 'hono/cors';

/** What needs no key, and may therefore be asked by a page of any site: the merchant's own, for one. */
export const KEYLESS_PATHS = [
  '/api/checkout/*',
  '/api/subscriptions/:subscriptionId/transaction',
  '/plans/*',
  '/openapi.json',
];

/**
 * Lets scripts of any site ask, without cookies. They cannot send an API key along, for `Authorization` is not among the
 * headers that are allowed: a key has no business in a browser.
 */
export const browsersAnywhere = cors({
  origin: '*',
  allowMethods: ['GET', 'POST'],
  allowHeaders: ['Content-Type'],
  exposeHeaders: [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'Retry-After',
    'X-Request-Id',
  ],
  maxAge: 86_400,
});
