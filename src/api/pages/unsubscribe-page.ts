import type { Hono } from 'hono';
import type { AppContext } from '../../app.ts';
import { readUnsubscribeLink, unsubscribe } from '../../domain/messages/mail/unsubscribe.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { sendPage } from './send-page.ts';

/**
 * Serves the page of the link in reminders. Opening the page changes nothing, because mail programs
 * open links automatically. The button of the page and that of a mail program (RFC 8058) send a
 * POST.
 */
export function routeUnsubscribePage(router: Hono<ApiEnv>, ctx: AppContext): void {
  router.get('/mail/unsubscribe/:token', async (c) => {
    const found = await readUnsubscribeLink(ctx, c.req.param('token'));
    const reminders = found ? { company: found.company, isOff: found.isOff } : null;
    return sendPage(c, 'unsubscribe', { reminders }, { status: reminders ? 200 : 404 });
  });
  router.post('/mail/unsubscribe/:token', async (c) => {
    const found = await unsubscribe(ctx, c.req.param('token'));
    const reminders = found ? { company: found.company, isOff: true } : null;
    return sendPage(c, 'unsubscribe', { reminders }, { status: reminders ? 200 : 404 });
  });
}
