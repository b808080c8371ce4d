// A process that relays events, and writes and sends mails, until it is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../src/app.ts';
import type { Config } from '../src/config.ts';
import { Mailer } from '../src/domain/messages/mail/mailer.ts';
import { sendMails } from '../src/domain/messages/mail/send-mails.ts';
import { writeTimedMails } from '../src/domain/messages/mail/write-timed-mails.ts';
import { newRelayProgress, relayEvents } from '../src/domain/messages/relay/relay-events.ts';

const PAUSE_MS = 20;

process.once('message', async (config: Config) => {
  if (!config.mail) throw new Error('There is no mail server');
  const { ctx } = await createApp(config);
  const mailer = new Mailer(config.mail);
  const progress = newRelayProgress();
  process.send?.('ready');
  for (;;) {
    await relayEvents(ctx, progress, async () => undefined);
    await writeTimedMails(ctx);
    await sendMails(ctx, mailer);
    await sleep(PAUSE_MS);
  }
});
process.on('disconnect', () => process.exit());
