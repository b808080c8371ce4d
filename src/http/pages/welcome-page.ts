import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { ApiEnv } from '../api-env.ts';
import { BASE_STYLE, layout } from './layout.ts';
import { securityPolicy } from './security-policy.ts';

const PARTS = { style: `${BASE_STYLE}main{max-width:36rem;margin:4rem auto;padding:0 1rem}` };
const POLICY = securityPolicy(PARTS);

/** For whoever opens the service's address in a browser: what this is, and where everything is. */
export function routeWelcomePage(router: Hono<ApiEnv>): void {
  router.get('/', (c) => {
    c.header('Content-Security-Policy', POLICY);
    return c.html(layout('dues', PARTS, WORDS));
  });
}

const WORDS = html`<main>
<h1>dues</h1>
<p>Recurring billing for merchants on Solana.</p>
<ul>
<li><a href="/docs">The REST API</a>, and the same for machines: <a href="/openapi.json">/openapi.json</a></li>
<li>GraphQL: POST to <code>/graphql</code></li>
<li><a href="/health">/health</a></li>
</ul>
</main>`;
