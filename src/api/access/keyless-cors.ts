import { cors } from 'hono/cors';

/** Routes that need no key. Pages of any site may call them, for example a merchant's page. */
export const KEYLESS_PATHS = [
  '/api/checkout/*',
  '/api/subscriptions/:subscriptionId/transaction',
  '/plans/*',
  '/openapi.json',
];

/**
 * Lets scripts of any site call these routes without cookies. They cannot send an API key, because
 * `Authorization` is not an allowed header: a key must not be used in a browser.
 */
export const keylessCors = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'DELETE'],
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
