import { createTransport, type Transporter } from 'nodemailer';
import type { Mailbox, MailConfig } from '../../../config/mail-config.ts';
import { withoutSecrets } from '../../../observability/without-secrets.ts';
import { oneLine } from '../../kernel/input/one-line.ts';
import type { RenderedMail } from './render-mail.ts';

/** Maximum connections of one process to the mail server. */
export const CONNECTIONS = 5;
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 20_000;
const MAX_ERROR = 300;

export interface OutgoingMail extends RenderedMail {
  /** Without angle brackets; the same at every attempt, so that receivers recognise repeats. */
  readonly messageId: string;
  readonly fromName: string;
  readonly replyTo: string | null;
  readonly to: string;
  /** Accepts a POST without a confirmation (RFC 8058). */
  readonly unsubscribeUrl?: string;
}

/**
 * `later`: the server did not take it now. `refused`: it will never take this mail. `away`: the
 * server cannot be used, so other mails need not be attempted either.
 */
export type MailOutcome =
  | { readonly state: 'sent' }
  | { readonly state: 'later' | 'refused' | 'away'; readonly error: string };

/** Sends mails to the operator's mail server. */
export class Mailer {
  readonly #transport: Transporter;
  readonly #from: Mailbox;

  constructor({ smtpUrl, from }: Pick<MailConfig, 'smtpUrl' | 'from'>) {
    this.#from = from;
    this.#transport = createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: CONNECTIONS,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    } as Parameters<typeof createTransport>[0]);
  }

  /** The domain of message ids. */
  get domain(): string {
    return this.#from.address.slice(this.#from.address.lastIndexOf('@') + 1);
  }

  async send(mail: OutgoingMail): Promise<MailOutcome> {
    const { messageId, fromName, replyTo, to, subject, text, html, unsubscribeUrl } = mail;
    try {
      await this.#transport.sendMail({
        messageId: `<${messageId}>`,
        from: { name: oneLine(fromName), address: this.#from.address },
        to: { name: '', address: to },
        ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
        subject,
        text,
        html,
        headers: {
          // Out-of-office programs do not answer it (RFC 3834).
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribeUrl !== undefined && {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      });
      return { state: 'sent' };
    } catch (error) {
      return outcomeOf(error);
    }
  }

  close(): void {
    this.#transport.close();
  }
}

/** Codes of nodemailer that concern one mail; all others concern the connection or the login. */
const SINGLE_MAIL_CODES = ['EENVELOPE', 'EMESSAGE'];

function outcomeOf(error: unknown): MailOutcome {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  const text = withoutSecrets(error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR);
  if (!SINGLE_MAIL_CODES.includes(code ?? '')) return { state: 'away', error: text };
  // 4yz: a later attempt may succeed; 5yz: it will not (RFC 5321, 4.2.1).
  return { state: (responseCode ?? 400) >= 500 ? 'refused' : 'later', error: text };
}
