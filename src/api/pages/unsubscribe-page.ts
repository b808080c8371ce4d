import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { AppContext } from '../../app.ts';
import { readUnsubscribeLink, unsubscribe } from '../../domain/messages/mail/unsubscribe.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { BASE_STYLE, layout } from './layout.ts';
import { securityPolicy } from './security-policy.ts';

const PARTS = {
  style: `${BASE_STYLE}main{max-width:32rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.625rem 1rem;border:0;border-radius:.5rem;background:var(--accent);color:var(--on-accent);cursor:pointer}`,
  hasForm: true,
};
const POLICY = securityPolicy(PARTS);

/**
 * Serves the page of the link in reminders. Opening the page changes nothing, because mail programs
 * open links automatically. The button of the page and that of a mail program (RFC 8058) send a
 * POST.
 */
export function routeUnsubscribePage(router: Hono<ApiEnv>, ctx: AppContext): void {
  router.get('/mail/unsubscribe/:token', async (c) => {
    c.header('Cache-Control', 'no-store');
    c.header('Content-Security-Policy', POLICY);
    const found = await readUnsubscribeLink(ctx, c.req.param('token'));
    if (!found) return c.html(layout('Reminders', PARTS, UNKNOWN), 404);
    return c.html(layout('Reminders', PARTS, found.isOff ? done(found.company) : question(found.company)));
  });
  router.post('/mail/unsubscribe/:token', async (c) => {
    c.header('Cache-Control', 'no-store');
    c.header('Content-Security-Policy', POLICY);
    const found = await unsubscribe(ctx, c.req.param('token'));
    if (!found) return c.html(layout('Reminders', PARTS, UNKNOWN), 404);
    return c.html(layout('Reminders', PARTS, done(found.company)));
  });
}

const UNKNOWN = html`<main><h1>This link does not work</h1><p>It may be incomplete. Please use the link in the mail.</p></main>`;

const question = (company: string) => html`<main>
<h1>No more reminders?</h1>
<p>${company} would no longer write to you before a payment is due. You still receive receipts and mails about failed payments.</p>
<form method="post"><button type="submit">No more reminders</button></form>
</main>`;

const done = (company: string) => html`<main>
<h1>No more reminders</h1>
<p>${company} no longer writes to you before a payment is due.</p>
</main>`;
