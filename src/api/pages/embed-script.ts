import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import type { Hono } from 'hono';
import { putHeaders } from '../http/answer-headers.ts';
import type { ApiEnv } from '../http/api-env.ts';

const SOURCE = new URL('../checkout-browser/embed.ts', import.meta.url);

/** Serves the script that makes buttons of payment links in pages of merchants. */
export function routeEmbedScript(router: Hono<ApiEnv>): void {
  const script = stripTypeScriptTypes(readFileSync(SOURCE, 'utf8'));
  router.get('/embed.js', (c) => {
    putHeaders(c, { 'Cross-Origin-Resource-Policy': 'cross-origin', 'Access-Control-Allow-Origin': '*' });
    return c.body(script, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
    });
  });
}
