import type { Hono } from 'hono';
import type { AppContext } from '../../app.ts';
import { requireScope } from '../../domain/kernel/access/caller.ts';
import { previewMail } from '../../domain/messages/mail/preview-mail.ts';
import { isTemplate, merchantTemplates } from '../../domain/messages/mail/templates.ts';
import { notFound } from '../../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';

/** Mails have no scripts, but inline styles, which the policy of the dashboard does not allow. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

/** Serves a mail about a made-up customer as HTML, which the dashboard shows in a frame. */
export function routeMailPreview(router: Hono<ApiEnv>, ctx: AppContext): void {
  router.get('/mail/preview/:template', async (c) => {
    const scope = requireScope(c.var.caller, 'READ');
    const template = c.req.param('template');
    if (!isTemplate(template) || !merchantTemplates.includes(template)) throw notFound('mail');
    const { html } = await previewMail(ctx, scope, template);
    c.header('Cache-Control', 'no-store');
    c.header('Content-Security-Policy', POLICY);
    return c.html(html);
  });
}
