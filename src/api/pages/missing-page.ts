import type { Context } from 'hono';
import { html } from 'hono/html';
import type { ApiEnv } from '../http/api-env.ts';
import { BASE_STYLE, layout } from './layout.ts';
import { securityPolicy } from './security-policy.ts';

const PARTS = {
  style: `${BASE_STYLE}main{max-width:32rem;margin:4rem auto;padding:0 1rem}h1{letter-spacing:-.02em}p{color:var(--soft)}`,
};
const POLICY = securityPolicy(PARTS);

/** Paths whose errors are JSON for browsers too. */
const API_PATH = /^\/(?:api|graphql)(?:\/|$)/;

/** Whether a person sees the response: a browser asks for a page, which is not one of the APIs. */
export function isPageRequest({ req }: Context<ApiEnv>): boolean {
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  return isRead && !API_PATH.test(req.path) && (req.header('accept') ?? '').includes('text/html');
}

/** Renders a page that says that the address leads nowhere, and what to open instead. */
export function renderMissingPage(c: Context<ApiEnv>): Response | Promise<Response> {
  c.header('Cache-Control', 'no-store');
  c.header('Content-Security-Policy', POLICY);
  return c.html(layout('No such page', PARTS, CONTENT), 404);
}

const CONTENT = html`<main>
<h1>No page has this address</h1>
<p>The link may be old or incomplete. If you pay for a subscription, open <a href="/portal">your subscriptions</a>. If you sell one, open the <a href="/dashboard">dashboard</a>.</p>
</main>`;
