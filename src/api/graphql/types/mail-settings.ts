import { type MailSettings as Chosen, mailSettingsOf } from '../../../domain/messages/mail/mail-settings.ts';
import { previewMail } from '../../../domain/messages/mail/preview-mail.ts';
import type { RenderedMail } from '../../../domain/messages/mail/render-mail.ts';
import { merchantTemplates, type TemplateName, templates } from '../../../domain/messages/mail/templates.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

export const MailTemplate = builder.enumType('MailTemplate', {
  description: 'A kind of mail that the service sends for a merchant.',
  values: Object.fromEntries(
    merchantTemplates.map((name) => [name, { description: templates[name].description }]),
  ) as Record<TemplateName, { description: string }>,
});

export const MailSettings = builder.objectRef<Chosen>('MailSettings').implement({
  description:
    'Mail settings of a merchant in one environment. Every mail is off until the merchant switches it on.',
  fields: (t) => ({
    templates: t.expose('templates', {
      type: [MailTemplate],
      description: 'The mails that are switched on.',
    }),
    merchantEmail: t.exposeString('merchantEmail', {
      nullable: true,
      description: 'Email address that receives the mails to the merchant; null if there is none.',
    }),
    reminderDays: t.exposeInt('reminderDays', {
      description: 'Days before a renewal at which customers are reminded of it; default 7.',
    }),
    isAvailable: t.boolean({
      description: 'Whether the service has a mail server. Without one it sends no mail.',
      resolve: (_settings, _args, { app }) => app.config.mail !== undefined,
    }),
  }),
});

const MailPreview = builder.objectRef<RenderedMail>('MailPreview').implement({
  description: 'A mail as it would be sent, with a made-up customer.',
  fields: (t) => ({
    subject: t.exposeString('subject', { description: 'Subject line of the mail.' }),
    text: t.exposeString('text', { description: 'The mail as plain text.' }),
    html: t.exposeString('html', { description: 'The mail as a complete HTML document without scripts.' }),
  }),
});

builder.queryFields((t) => ({
  mailSettings: t.field({
    type: MailSettings,
    description: 'Mail settings of the environment of this request. Errors: `authentication_error`.',
    resolve: (_root, _args, context) => mailSettingsOf(context.app.db, scopeOf(context)),
  }),
  mailPreview: t.field({
    type: MailPreview,
    args: { template: t.arg({ type: MailTemplate, required: true, description: 'Kind of the mail.' }) },
    description:
      "Preview of a mail with the merchant's name, logo and colour, and a made-up customer. Errors: `authentication_error`.",
    resolve: (_root, { template }, context) => previewMail(context.app, scopeOf(context), template),
  }),
}));
