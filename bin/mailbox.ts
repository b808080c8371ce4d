import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { html } from 'hono/html';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { MailConfig } from '../src/config/mail-config.ts';

const MAX_KEPT = 500;
const MAX_BYTES = 1_000_000;
/** The usual port of tools that catch mails. */
const PAGE_PORT = 8025;
const HOST = '127.0.0.1';

/** A mail that was caught. */
export interface CaughtMail {
  /** 1, 2, 3 ... in the order of arrival. */
  readonly number: number;
  readonly to: string;
  readonly subject: string;
  readonly messageId: string;
  readonly text: string;
  readonly html: string;
  /** Header values by name, in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

export interface Mailbox {
  /** The value for SMTP_URL. */
  readonly smtpUrl: string;
  /** The page that shows the mails. */
  readonly url: string;
  /** The newest 500 mails, oldest first. */
  readonly mails: readonly CaughtMail[];
  close(): Promise<void>;
}

/**
 * Starts a mail server for development, which catches all mails and shows them on a page. Both
 * listen on this machine only, and no mail is forwarded. The page has port 8025 if that is free,
 * otherwise any free port.
 */
export async function startMailbox(): Promise<Mailbox> {
  const mails: CaughtMail[] = [];
  let count = 0;
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: MAX_BYTES,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      // The stream fails if the sender is killed in the middle of a mail.
      stream.on('error', callback);
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join(', ');
        parseMail(Buffer.concat(chunks), to).then((mail) => {
          count += 1;
          mails.push({ ...mail, number: count });
          if (mails.length > MAX_KEPT) mails.shift();
          callback();
        }, callback);
      });
    },
  });
  await using closing = new AsyncDisposableStack();
  const smtpPort = await listen(smtp.server, () => smtp.listen(0, HOST));
  closing.defer(() => new Promise<void>((resolve) => smtp.close(resolve)));
  const pages = createServer((request, response) => respond(mails, request.url ?? '/', response));
  const pagePort = await listen(pages, () => pages.listen(PAGE_PORT, HOST)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return listen(pages, () => pages.listen(0, HOST));
  });
  closing.defer(async () => {
    pages.closeAllConnections();
    await new Promise((resolve) => pages.close(resolve));
  });
  const running = closing.move();
  return {
    smtpUrl: `smtp://${HOST}:${smtpPort}`,
    url: `http://${HOST}:${pagePort}`,
    mails,
    close: () => running.disposeAsync(),
  };
}

/** The configuration that sends all mails to a mailbox. */
export function mailConfig({ smtpUrl }: Mailbox): MailConfig {
  const from = { name: 'dues', address: 'dues@localhost.example' };
  const limits = { perMerchantADay: 50_000, perNewMerchantADay: 50_000, perRecipientADay: 1_000 };
  return { smtpUrl, from, operator: from, ...limits };
}

/** Resolves with the port once the server listens. Rejects if the port is taken. */
async function listen(server: Server, start: () => void): Promise<number> {
  const listening = once(server, 'listening');
  start();
  await listening;
  return (server.address() as AddressInfo).port;
}

async function parseMail(raw: Buffer, to: string): Promise<Omit<CaughtMail, 'number'>> {
  const mail = await PostalMime.parse(raw);
  return {
    to,
    subject: mail.subject ?? '',
    messageId: mail.messageId ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    headers: new Map(mail.headers.map(({ key, value }) => [key, value])),
  };
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap}iframe{width:100%;height:40rem;border:1px solid #ccc}td{padding:.25rem 1rem .25rem 0}';
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'";
/** Mails may contain texts from strangers, so scripts are off. Links open in a new tab. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; sandbox allow-popups allow-popups-to-escape-sandbox";

function respond(mails: readonly CaughtMail[], path: string, response: ServerResponse): void {
  const [, number = '', isHtml] = /^\/mails\/(\d+)(\.html)?$/.exec(path) ?? [];
  const mail = mails.find((caught) => String(caught.number) === number);
  if (path !== '/' && !mail) {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('No such mail.\n');
    return;
  }
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', mail && isHtml ? MAIL_POLICY : PAGE_POLICY);
  if (mail && isHtml) response.end(mail.html.replace('<head>', '<head><base target="_blank">'));
  else response.end(String(mail ? mailPage(mail) : listPage(mails)));
}

function listPage(mails: readonly CaughtMail[]) {
  const rows = mails
    .toReversed()
    .map(
      ({ number, to, subject }) =>
        html`<tr><td>${number}</td><td>${to}</td><td><a href="/mails/${number}">${subject}</a></td></tr>`,
    );
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>Mails</title><style>${STYLE}</style></head><body><h1>Mails</h1><p>Mails are caught here, and not delivered to anybody. The page reloads every five seconds.</p>${
    rows.length === 0 ? html`<p>There are none yet.</p>` : html`<table>${rows}</table>`
  }</body></html>`;
}

function mailPage({ number, to, subject, messageId, text }: CaughtMail) {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${subject}</title><style>${STYLE}</style></head><body><p><a href="/">All mails</a></p><h1>${subject}</h1><p>To ${to}, ${messageId}</p><iframe src="/mails/${number}.html" title="The mail as HTML"></iframe><h2>As text</h2><pre>${text}</pre></body></html>`;
}
