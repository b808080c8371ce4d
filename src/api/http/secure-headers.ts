import { createMiddleware } from 'hono/factory';
import { putHeaders } from './answer-headers.ts';
import type { ApiEnv } from './api-env.ts';

/** Security headers, the same as in hono/secure-headers. Pages add a content security policy. */
export const SECURE_HEADERS = {
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

/** Adds the security headers to every response. */
export const secureHeaders = createMiddleware<ApiEnv>((c, next) => {
  putHeaders(c, SECURE_HEADERS);
  return next();
});
