import { createMiddleware } from 'hono/factory';
import { putHeaders } from './answer-headers.ts';
import type { ApiEnv } from './api-env.ts';

/** What browsers are to be careful with: hono's own list (`hono/secure-headers`). Pages add a policy for their content. */
const SECURE_HEADERS = {
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=15552000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
} as const;

/** Puts them on every answer. */
export const secureHeaders = createMiddleware<ApiEnv>(async (c, next) => {
  putHeaders(c, SECURE_HEADERS);
  await next();
});
