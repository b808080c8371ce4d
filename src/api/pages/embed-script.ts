import { existsSync, readFileSync } from 'node:fs';
import type { Hono } from 'hono';
import { putHeaders } from '../http/answer-headers.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { CUSTOMER_PAGES_NOT_BUILT } from './send-page.ts';

const BUILT = new URL('../../../dist/web/pages/embed.js', import.meta.url);

/** Serves the script that turns payment links in merchants' pages into buttons. */
export function routeEmbedScript(router: Hono<ApiEnv>): void {
  const script = existsSync(BUILT) ? readFileSync(BUILT, 'utf8') : undefined;
  router.get('/embed.js', (c) => {
    if (script === undefined) return c.text(CUSTOMER_PAGES_NOT_BUILT, 404);
    putHeaders(c, { 'Cross-Origin-Resource-Policy': 'cross-origin', 'Access-Control-Allow-Origin': '*' });
    return c.body(script, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
    });
  });
}
