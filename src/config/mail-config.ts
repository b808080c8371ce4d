import type { VariableReader } from './variable-reader.ts';
import { mailVariables } from './variables/mail.ts';

/** A name, which may be empty, and an email address. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** The operator's mail server. */
export interface MailConfig {
  /** `smtp:` or `smtps:`, with the login if one is needed. */
  readonly smtpUrl: string;
  /** The sender. Mails for customers show the name of the merchant instead of the sender's name. */
  readonly from: Mailbox;
  /** The recipient of mails about the service itself; null if they are not sent. */
  readonly operator: Mailbox | null;
  /** Maximum mails written for one merchant and environment on one UTC day. */
  readonly perMerchantADay: number;
  /** The same for a merchant in its first days. */
  readonly perNewMerchantADay: number;
  /** Maximum mails of one merchant and environment to one recipient on one UTC day. */
  readonly perRecipientADay: number;
}

/** Reads the mail server; undefined if none is set or a variable is wrong. */
export function readMailConfig(reader: VariableReader): MailConfig | undefined {
  const values = reader.read(mailVariables);
  if (!values) return undefined;
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, MAIL_OPERATOR: operator } = values;
  if (smtpUrl !== undefined && from) {
    return {
      smtpUrl,
      from,
      operator: operator ?? null,
      perMerchantADay: values.MAILS_PER_DAY,
      perNewMerchantADay: values.MAILS_PER_DAY_NEW,
      perRecipientADay: values.MAILS_PER_RECIPIENT,
    };
  }
  if (smtpUrl !== undefined) reader.report('MAIL_FROM is missing: SMTP_URL needs a sender');
  if (from) reader.report('SMTP_URL is missing: MAIL_FROM needs a mail server');
  if (operator && !from) reader.report('SMTP_URL is missing: MAIL_OPERATOR needs a mail server');
  return undefined;
}
