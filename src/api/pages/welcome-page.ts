import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { ApiEnv } from '../http/api-env.ts';
import { BASE_STYLE, layout } from './layout.ts';
import { securityPolicy } from './security-policy.ts';

const PARTS = {
  style: `${BASE_STYLE}main{max-width:32rem;margin:4rem auto;padding:0 1rem}h1{margin:0;letter-spacing:-.02em}p{margin:.25rem 0 1.5rem;color:var(--soft)}ul{list-style:none;margin:0 0 1.5rem;padding:0;border:1px solid var(--line);border-radius:1rem;background:var(--card)}li+li{border-top:1px solid var(--line)}li a{display:block;padding:.875rem 1.25rem;color:inherit;text-decoration:none}li strong{display:block;color:var(--accent)}code{font:.875em ui-monospace,monospace}`,
};
const POLICY = securityPolicy(PARTS);

/**
 * Serves the start page at the URL of the service, with links to the dashboard, the portal and the
 * documentation.
 */
export function routeWelcomePage(router: Hono<ApiEnv>): void {
  router.get('/', (c) => {
    c.header('Content-Security-Policy', POLICY);
    return c.html(layout('dues', PARTS, CONTENT));
  });
}

const CONTENT = html`<main>
<h1>dues</h1>
<p>Recurring billing for merchants on Solana.</p>
<ul>
<li><a href="/dashboard/"><strong>Dashboard</strong>You sell: plans, customers, payments and webhooks.</a></li>
<li><a href="/portal"><strong>Portal</strong>You pay: see, cancel or repair your subscriptions.</a></li>
<li><a href="/docs"><strong>Documentation</strong>You build or run it: guides and reference.</a></li>
</ul>
<p>For programs: POST to <code>/graphql</code>, <a href="/openapi.json">/openapi.json</a>, and
<a href="/health">/health</a>.</p>
</main>`;
