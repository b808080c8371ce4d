import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createApp } from '../src/app.ts';
import { CONNECTIONS } from '../src/domain/messages/mail/mailer.ts';
import { kebabCase, templateNames } from '../src/domain/messages/mail/templates.ts';
import { pollUntil } from '../tools/poll-until.ts';
import { startSmtpReceiver } from '../tools/smtp-receiver.ts';
import { worldConfig } from '../tools/world/config.ts';
import { startDatabase } from '../tools/world/database.ts';
import { startNetwork } from '../tools/world/network.ts';
import { forkModule } from './child-process.ts';
import {
  type MailMerchant,
  recordMailEvents,
  seedMailMerchant,
  writeOtherMails,
} from './customer-mail-seed.ts';

const MERCHANTS = 5;
const EVENTS = 10_000;
const KILLS = 50;
const EVENTS_PER_KILL = EVENTS / KILLS;
/** Longer than the claim of a killed process. */
const AFTER_CLAIMS_SECONDS = 200;

/**
 * Sends the mails of 10,000 events, of all templates but that of refunds, from two processes to a
 * mail server. The events are recorded in groups of 200. One of the processes is killed at a random
 * mail of each group. A mail is known by its Message-ID: the id of its event and its template.
 *
 * - mails_lost: mails that never arrived.
 * - mails_doubled: mails that arrived more than once. A killed process has at most five in flight.
 */
export async function measureLostMails() {
  await using closing = new AsyncDisposableStack();
  const smtp = await startSmtpReceiver();
  closing.defer(() => smtp.close());
  const database = await startDatabase(closing);
  const network = await startNetwork();
  closing.defer(() => network.close());
  const config = worldConfig(database.url, {
    clock: 'chain',
    mail: {
      ...smtp.config,
      perMerchantADay: 1_000_000,
      perNewMerchantADay: 1_000_000,
      perRecipientADay: 1_000_000,
    },
    clusters: { TEST: network.cluster },
  });
  const { ctx, close } = await createApp(config);
  closing.defer(close);
  const merchants: MailMerchant[] = [];
  for (let count = 0; count < MERCHANTS; count += 1) merchants.push(await seedMailMerchant(ctx, count));

  const mailers = [await startMailer(config), await startMailer(config)];
  closing.defer(() => {
    for (const mailer of mailers) mailer.kill('SIGKILL');
  });
  const expected = new Set<string>();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = smtp.mails.length;
    const ids = await recordMailEvents(ctx, merchants, {
      first: kill * EVENTS_PER_KILL,
      count: EVENTS_PER_KILL,
    });
    for (const id of ids) expected.add(`<${id}@dues.example>`);
    if (kill === 0) await writeOtherMails(ctx, merchants);
    // A process is killed at a random mail of these events.
    const goal = before + Math.floor(Math.random() * EVENTS_PER_KILL);
    await pollUntil(async () => smtp.mails.length > goal);
    mailers.shift()?.kill('SIGKILL');
    mailers.push(await startMailer(config));
  }
  const target = ctx.clock.now().getTime() + AFTER_CLAIMS_SECONDS * 1_000;
  await network.client.travelTo(target);
  await pollUntil(async () => (await ctx.db.outbox.count()) === 0);
  await pollUntil(async () => (await ctx.db.mail.count({ where: { status: 'QUEUED' } })) === 0);

  const arrivals = Map.groupBy(smtp.mails, ({ messageId }) => messageId ?? '');
  const rows = await ctx.db.mail.groupBy({ by: ['template', 'status'], _count: true });
  const sent = rows.filter(({ status }) => status === 'SENT');
  const stored = rows.reduce((sum, { _count }) => sum + _count, 0);
  for (const name of templateNames.filter((each) => each !== 'REFUND')) {
    if (!sent.some(({ template }) => template === name))
      console.log(`  no mail of ${kebabCase(name)} was sent`);
  }
  const missing = [...expected].filter((id) => !arrivals.has(id));
  const empty = smtp.mails.filter(({ text, html }) => !text?.trim() || !html?.trim());
  const doubled = [...arrivals.values()].filter(({ length }) => length > 1);
  return {
    mails: arrivals.size,
    mail_templates: sent.length,
    // The missing mails of events, and the difference between stored and received mails.
    mails_lost: missing.length + Math.abs(stored - arrivals.size),
    mails_empty: empty.length,
    mails_doubled: doubled.length,
    mails_doubled_allowed: KILLS * CONNECTIONS,
  };
}

async function startMailer(config: object): Promise<ChildProcess> {
  const child = forkModule('./customer-mailer.ts');
  child.send(config);
  await once(child, 'message');
  return child;
}
