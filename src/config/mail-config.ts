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

/** Reads the mail server; undefined if none is set. Problems are added to `problems`. */
export function readMailConfig(
  {
    SMTP_URL: smtpUrl,
    MAIL_FROM: from,
    MAIL_OPERATOR: operator,
    MAILS_PER_DAY: perMerchantADay,
    MAILS_PER_DAY_NEW: perNewMerchantADay,
    MAILS_PER_RECIPIENT: perRecipientADay,
  }: {
    readonly SMTP_URL?: string | undefined;
    readonly MAIL_FROM?: Mailbox | undefined;
    readonly MAIL_OPERATOR?: Mailbox | undefined;
    readonly MAILS_PER_DAY: number;
    readonly MAILS_PER_DAY_NEW: number;
    readonly MAILS_PER_RECIPIENT: number;
  },
  problems: string[],
): MailConfig | undefined {
  if (smtpUrl !== undefined && from) {
    const limits = { perMerchantADay, perNewMerchantADay, perRecipientADay };
    return { smtpUrl, from, operator: operator ?? null, ...limits };
  }
  if (smtpUrl !== undefined) problems.push('MAIL_FROM is missing: SMTP_URL needs a sender');
  if (from) problems.push('SMTP_URL is missing: MAIL_FROM needs a mail server');
  if (operator && !from) problems.push('SMTP_URL is missing: MAIL_OPERATOR needs a mail server');
  return undefined;
}
