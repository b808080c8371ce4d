import type { Hono } from 'hono';
import { putHeaders } from '../http/answer-headers.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { builtScript, CUSTOMER_PAGES_NOT_BUILT } from './built-script.ts';

/** Serves the script that turns payment links in merchants' pages into buttons. */
export function routeEmbedScript(router: Hono<ApiEnv>): void {
  const script = builtScript('embed');
  router.get('/embed.js', (c) => {
    if (script === undefined) return c.text(CUSTOMER_PAGES_NOT_BUILT, 404);
    putHeaders(c, { 'Cross-Origin-Resource-Policy': 'cross-origin', 'Access-Control-Allow-Origin': '*' });
    return c.body(script, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
    });
  });
}
