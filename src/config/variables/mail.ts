import { mailbox, url, wholeNumber } from './kinds.ts';
import { notes } from './notes.ts';

const mails = (byDefault: number) => wholeNumber(1, 10_000_000).transform(Number).default(byDefault);

export const mailVariables = {
  SMTP_URL: url('smtps://user:password@mail.example.com', 'smtp', 'smtps').optional().register(notes, {
    text: 'The mail server with its login. Without it and MAIL_FROM no mail is sent (docs/mail.md).',
    mayBeFile: true,
  }),
  MAIL_FROM: mailbox.optional().register(notes, {
    text: 'The sender. Mails for customers show the name of the merchant instead of its name.',
  }),
  MAIL_OPERATOR: mailbox.optional().register(notes, {
    text: 'The recipient of mails about the service itself. Without it they are not sent.',
  }),
  MAILS_PER_DAY: mails(50_000).register(notes, {
    text: 'Maximum mails of one merchant and environment on one UTC day. Links to the portal are counted apart, with the same limits.',
  }),
  MAILS_PER_DAY_NEW: mails(1_000).register(notes, {
    text: "The same in a merchant's first seven days.",
  }),
  MAILS_PER_RECIPIENT: mails(50).register(notes, { text: 'Maximum of these mails to one recipient.' }),
};
