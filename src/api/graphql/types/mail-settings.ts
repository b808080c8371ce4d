import { type MailSettings as Chosen, mailSettingsOf } from '../../../domain/mail/mail-settings.ts';
import { previewMail } from '../../../domain/mail/preview-mail.ts';
import type { RenderedMail } from '../../../domain/mail/render-mail.ts';
import { merchantTemplates, type TemplateName, templates } from '../../../domain/mail/templates.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

export const MailTemplate = builder.enumType('MailTemplate', {
  description: 'A mail that the service sends for a merchant.',
  values: Object.fromEntries(
    merchantTemplates.map((name) => [name, { description: templates[name].description }]),
  ) as Record<TemplateName, { description: string }>,
});

export const MailSettings = builder.objectRef<Chosen>('MailSettings').implement({
  description: 'The mails of a merchant in one environment. Everything is off until it is switched on.',
  fields: (t) => ({
    templates: t.expose('templates', {
      type: [MailTemplate],
      description: 'The mails that are switched on.',
    }),
    merchantEmail: t.exposeString('merchantEmail', {
      nullable: true,
      description: 'Receives the mails to the merchant; null if there is none.',
    }),
    reminderDays: t.exposeInt('reminderDays', {
      description: 'Days before a renewal at which customers are reminded of it; default 7.',
    }),
    isAvailable: t.boolean({
      description: 'Whether the service has a mail server; without one no mail is sent.',
      resolve: (_settings, _args, { app }) => app.config.mail !== undefined,
    }),
  }),
});

const MailPreview = builder.objectRef<RenderedMail>('MailPreview').implement({
  description: 'A mail about a made-up customer, as it would be sent.',
  fields: (t) => ({
    subject: t.exposeString('subject', { description: 'The subject.' }),
    text: t.exposeString('text', { description: 'The mail as plain text.' }),
    html: t.exposeString('html', { description: 'The same as HTML, a complete document without scripts.' }),
  }),
});

builder.queryFields((t) => ({
  mailSettings: t.field({
    type: MailSettings,
    description: "The mail settings of the key's environment. Errors: `authentication_error`.",
    resolve: (_root, _args, context) => mailSettingsOf(context.app.db, scopeOf(context)),
  }),
  mailPreview: t.field({
    type: MailPreview,
    args: { template: t.arg({ type: MailTemplate, required: true, description: 'The mail.' }) },
    description:
      "A mail with the merchant's name, logo and colour, and a made-up customer. Errors: `authentication_error`.",
    resolve: (_root, { template }, context) => previewMail(context.app, scopeOf(context), template),
  }),
}));
