import type { PaymentMail } from '../../../domain/messages/mail/mails-of-payments.ts';
import { builder } from '../builder.ts';
import { MailTemplate } from './mail-settings.ts';

export const MailStatus = builder.enumType('MailStatus', {
  description: 'Status of a mail.',
  values: {
    QUEUED: { description: 'Not sent yet, or the mail server could not take it yet.' },
    SENT: { description: 'The mail server has taken it.' },
    FAILED: { description: 'The mail server refused it, or it could not be sent in time.' },
    DROPPED: { description: 'Not sent, because what it says was no longer true.' },
  } as const,
});

export const Mail = builder.objectRef<PaymentMail>('Mail').implement({
  description: 'A mail that dues sends for a merchant.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID.' }),
    template: t.expose('template', { type: MailTemplate, description: 'Kind of the mail.' }),
    recipient: t.exposeString('recipient', { description: 'Email address that receives the mail.' }),
    status: t.expose('status', { type: MailStatus, description: 'Status of the mail.' }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why the last attempt failed, or why the mail was dropped; null otherwise.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the mail was created.' }),
    sentAt: t.expose('sentAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the mail server took it; null until then.',
    }),
  }),
});
