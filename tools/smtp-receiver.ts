import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { MailConfig } from '../src/config/mail-config.ts';

/** A received mail. */
export interface ReceivedMail extends Email {
  readonly recipient: string;
  header(name: string): string | undefined;
}

/** A mail server in this process. */
export interface SmtpReceiver {
  readonly config: MailConfig;
  readonly mails: ReceivedMail[];
  /** Returns the SMTP status for a recipient. Default: 250. */
  answer: (recipient: string) => number;
  to(recipient: string): ReceivedMail[];
  close(): Promise<void>;
}

export async function startSmtpReceiver(): Promise<SmtpReceiver> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _session, callback) {
      const status = receiver.answer(address);
      if (status === 250) callback();
      else callback(Object.assign(new Error('no, thank you'), { responseCode: status }));
    },
    onData(stream, session, callback) {
      const recipient = session.envelope.rcptTo.map(({ address }) => address).join();
      // Reading fails if a sender is killed in the middle of a mail.
      receive(stream, recipient).then(() => callback(), callback);
    },
  });
  const receive = async (stream: AsyncIterable<Uint8Array>, recipient: string) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const mail = await PostalMime.parse(Buffer.concat(chunks));
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
    receiver.mails.push({ ...mail, recipient, header });
  };
  // Tests break connections on purpose, so errors of the server are ignored.
  server.on('error', () => undefined);
  const listening = once(server.server, 'listening');
  server.listen(0, '127.0.0.1');
  await listening;
  const { port } = server.server.address() as AddressInfo;
  const receiver: SmtpReceiver = {
    config: {
      smtpUrl: `smtp://127.0.0.1:${port}`,
      from: { name: 'dues', address: 'billing@dues.example' },
      operator: { name: '', address: 'operator@dues.example' },
      perMerchantADay: 1_000,
      perNewMerchantADay: 1_000,
      perRecipientADay: 1_000,
    },
    mails: [],
    answer: () => 250,
    to: (recipient) => receiver.mails.filter((mail) => mail.recipient === recipient),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return receiver;
}
