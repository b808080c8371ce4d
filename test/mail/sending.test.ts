import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppContext } from '../../src/app.ts';
import { updateProfile } from '../../src/domain/accounts/merchant/update-profile.ts';
import { foreignText, senderName } from '../../src/domain/messages/mail/foreign-text.ts';
import { Mailer } from '../../src/domain/messages/mail/mailer.ts';
import { previewMail } from '../../src/domain/messages/mail/preview-mail.ts';
import { sendMails } from '../../src/domain/messages/mail/send-mails.ts';
import { merchantTemplates, type TemplateName } from '../../src/domain/messages/mail/templates.ts';
import { updateMailSettings } from '../../src/domain/messages/mail/update-mail-settings.ts';
import { type NewMail, writeMails } from '../../src/domain/messages/mail/write-mails.ts';
import { inTransaction } from '../../src/jobs/in-transaction.ts';
import { encryptSecret } from '../../src/secrets.ts';
import { startSmtpReceiver } from '../../tools/smtp-receiver.ts';
import { invalid, refusal, startWorld, type TestMerchant } from '../domain/world.ts';
import { machineClock } from '../jobs/context.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const MINUTE = 60;

let merchant: TestMerchant;
const smtp = await sharedByFile(startSmtpReceiver());
const world = await sharedByFile(startWorld());
const ctx: AppContext = { ...world.ctx, config: { ...world.ctx.config, mail: smtp.config } };
const mailer = await sharedByFile(new Mailer(smtp.config));
beforeEach(async () => {
  await world.db.mail.deleteMany();
  merchant = await world.newMerchant();
  smtp.mails.length = 0;
  smtp.answer = () => 250;
});

/** Writes mails of a template that needs no other rows. */
async function write(count: number, mail: Partial<NewMail> = {}, context = ctx): Promise<number> {
  const link = encryptSecret(ctx.config.secretKey, 'https://dues.example/portal').toString('base64');
  const mails = Array.from({ length: count }, (_, n) => ({
    scope: merchant.scope,
    template: 'PORTAL_LINK' as const,
    recipient: `customer-${n}@example.com`,
    cause: `cause ${n}`,
    content: { link },
    ...mail,
  }));
  return inTransaction(context, (tx) => writeMails(context, tx, mails));
}

/** Returns the database of a worker that is killed after it has stored some outcomes of mails. */
function databaseDyingAfter(outcomes: number): AppContext['db'] {
  let remaining = outcomes;
  return world.db.$extends({
    query: {
      mail: {
        updateMany({ args, query }) {
          remaining -= 1;
          if (remaining < 0) throw new Error('killed');
          return query(args);
        },
      },
    },
  }) as unknown as AppContext['db'];
}

const readStates = async () => {
  const rows = await world.db.mail.findMany({ orderBy: [{ recipient: 'asc' }] });
  return rows.map(({ status, attemptCount, error }) => ({ status, attemptCount, error }));
};

describe('a mail', () => {
  it('is written once per cause and recipient, and sent once by several workers', async () => {
    expect(await write(45)).toBe(45);
    expect(await write(45)).toBe(0);
    await Promise.all([1, 2, 3].map(() => sendMails(ctx, mailer)));
    expect(new Set(smtp.mails.map(({ recipient }) => recipient)).size).toBe(45);
    expect(smtp.mails).toHaveLength(45);
    expect((await readStates()).every(({ status }) => status === 'SENT')).toBe(true);
  });

  it('is claimed for three minutes by one of several workers whose clocks differ', async () => {
    const [ahead, behind] = [5, -5].map((minutes) => ({
      ...ctx,
      clock: machineClock(minutes * 60_000),
    })) as [AppContext, AppContext];
    const expiresAt = new Date(Date.now() + 3_600_000);
    for (const [first, second] of [
      [behind, ahead],
      [ahead, behind],
    ] as const) {
      await world.db.mail.deleteMany();
      smtp.mails.length = 0;
      await write(1, { expiresAt }, first);
      await expect(sendMails({ ...first, db: databaseDyingAfter(0) }, mailer)).rejects.toThrow('killed');
      await sendMails(second, mailer);
      expect(smtp.mails).toHaveLength(1);
      await world.db.$executeRaw`UPDATE "Mail" SET "nextAttemptAt" = "nextAttemptAt" - interval '3 minutes'`;
      await sendMails(second, mailer);
      expect(smtp.mails).toHaveLength(2);
    }
  });

  it('that is delayed past its claim waits for the next claim, and is sent once', async () => {
    await write(20);
    let delayMs = 0;
    const slow = { ...ctx, clock: { now: () => new Date(world.ctx.clock.now().getTime() + delayMs) } };
    smtp.answer = () => {
      delayMs = 100_000;
      return 250;
    };
    await sendMails(slow, mailer);
    expect(new Set(smtp.mails.map(({ recipient }) => recipient)).size).toBe(smtp.mails.length);
    delayMs = 0;
    smtp.answer = () => 250;
    await world.travel(3 * MINUTE);
    await sendMails(slow, mailer);
    expect(new Set(smtp.mails.map(({ recipient }) => recipient)).size).toBe(20);
    expect(smtp.mails).toHaveLength(20);
    // A mail whose sending did not start has no attempt for it.
    expect((await readStates()).map(({ attemptCount }) => attemptCount)).toEqual(Array(20).fill(1));
  });

  it('does not expire early for a worker whose clock is ahead', async () => {
    const ahead = { ...ctx, clock: machineClock(5 * 3_600_000) };
    const onTime = { ...ctx, clock: machineClock(0) };
    await write(1, { expiresAt: new Date(Date.now() + 3_600_000) }, onTime);
    await sendMails(ahead, mailer);
    expect(await readStates()).toMatchObject([{ status: 'SENT' }]);
    await write(1, { cause: 'old', expiresAt: new Date(Date.now() - 1_000) }, onTime);
    await sendMails({ ...ctx, clock: machineClock(-3_600_000) }, mailer);
    expect((await readStates()).map(({ status }) => status).toSorted()).toEqual(['FAILED', 'SENT']);
  });

  it('that is refused temporarily is retried until it is three days old', async () => {
    smtp.answer = () => 451;
    await write(1);
    await sendMails(ctx, mailer);
    expect(await readStates()).toEqual([
      { status: 'QUEUED', attemptCount: 1, error: expect.stringContaining('no, thank you') },
    ]);
    await sendMails(ctx, mailer);
    await world.travel(MINUTE);
    await sendMails(ctx, mailer);
    expect(await readStates()).toMatchObject([{ status: 'QUEUED', attemptCount: 2 }]);
    await world.travel(3 * 86_400);
    await sendMails(ctx, mailer);
    expect(await readStates()).toEqual([
      { status: 'FAILED', attemptCount: 3, error: 'it was not sent in time' },
    ]);
    expect(smtp.mails).toEqual([]);
  });

  it('that the server refuses permanently is not retried, and delays no other', async () => {
    smtp.answer = (recipient) => (recipient === 'customer-0@example.com' ? 550 : 250);
    await write(2);
    await sendMails(ctx, mailer);
    expect(await readStates()).toMatchObject([{ status: 'FAILED' }, { status: 'SENT' }]);
  });

  it('waits while the server does not answer, and is not lost', async () => {
    await write(25);
    const unreachable = new Mailer({ ...smtp.config, smtpUrl: 'smtp://user:secret@127.0.0.1:1' });
    await sendMails(ctx, unreachable);
    unreachable.close();
    expect(new Set((await readStates()).map(({ status }) => status))).toEqual(new Set(['QUEUED']));
    expect(JSON.stringify(await readStates())).not.toContain('secret');
    await world.travel(MINUTE);
    await sendMails(ctx, mailer);
    expect(smtp.mails).toHaveLength(25);
  });

  it('whose worker crashes after sending has the same Message-ID when sent again', async () => {
    await write(30);
    await expect(sendMails({ ...ctx, db: databaseDyingAfter(12) }, mailer)).rejects.toThrow('killed');
    await sendMails(ctx, mailer);
    await world.travel(4 * MINUTE);
    await sendMails(ctx, mailer);
    const ids = Map.groupBy(smtp.mails, ({ recipient }) => recipient);
    expect(ids.size).toBe(30);
    for (const mails of ids.values()) expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);
    // Only the mails that were being sent are sent twice.
    expect(smtp.mails.length - 30).toBeLessThanOrEqual(8);
    expect((await readStates()).every(({ status }) => status === 'SENT')).toBe(true);
  });

  it('beyond the daily limit of its merchant is not written until the next day', async () => {
    const limited = { ...ctx, config: { ...ctx.config, mail: { ...smtp.config, perMerchantADay: 10 } } };
    expect(await write(8, {}, limited)).toBe(8);
    expect(await write(12, {}, limited)).toBe(2);
    const other = await world.newMerchant();
    expect(await write(1, { scope: other.scope, cause: 'of another' }, limited)).toBe(1);
    await world.travel(86_400);
    expect(await write(12, {}, limited)).toBe(2);
  });

  it('of a merchant in its first seven days has a lower daily limit', async () => {
    const limited = { ...ctx, config: { ...ctx.config, mail: { ...smtp.config, perNewMerchantADay: 3 } } };
    expect(await write(5, {}, limited)).toBe(3);
    const createdAt = new Date(world.ctx.clock.now().getTime() - 7 * 86_400_000);
    await world.db.merchant.update({ where: { id: merchant.merchant.id }, data: { createdAt } });
    expect(await write(5, {}, limited)).toBe(2);
  });

  it('to one recipient has a daily limit, whatever the case of the address', async () => {
    const limited = { ...ctx, config: { ...ctx.config, mail: { ...smtp.config, perRecipientADay: 3 } } };
    expect(await write(2, { recipient: 'ada@example.com' }, limited)).toBe(2);
    expect(await write(5, { recipient: 'ADA@example.com' }, limited)).toBe(1);
    expect(await write(1, { recipient: 'bob@example.com' }, limited)).toBe(1);
    const { scope } = await world.newMerchant();
    expect(await write(1, { scope, recipient: 'ada@example.com', cause: 'of another' }, limited)).toBe(1);
    await world.travel(86_400);
    expect(await write(5, { recipient: 'ada@example.com' }, limited)).toBe(3);
  });

  it('is written although strangers have used up the links to the portal of a day', async () => {
    const mail = { ...smtp.config, perMerchantADay: 5, perRecipientADay: 3 };
    const warn = vi.spyOn(ctx.log, 'warn');
    const limited = { ...ctx, config: { ...ctx.config, mail } };
    const recipient = 'ada@example.com';
    expect(await write(9, { recipient }, limited)).toBe(3);
    expect(await write(9, { cause: 'other links' }, limited)).toBe(2);
    const fields = warn.mock.calls.map(([first]) => first);
    expect(fields).toContainEqual({ ...merchant.scope, template: 'PORTAL_LINK', refused: 6 });
    expect(await write(9, { template: 'RECEIPT', recipient }, limited)).toBe(3);
    expect(await write(9, { template: 'RECEIPT', cause: 'other receipts' }, limited)).toBe(2);
    await world.travel(86_400);
    expect(await write(9, { recipient, template: 'RECEIPT' }, limited)).toBe(3);
  });

  it('of a newer release waits for a worker of that release, and delays no other', async () => {
    await write(1, { template: 'OF_A_NEWER_RELEASE' as TemplateName, recipient: 'a@example.com' });
    await write(1);
    await sendMails(ctx, mailer);
    const sent = { status: 'SENT', attemptCount: 1, error: null };
    expect(await readStates()).toEqual([{ status: 'QUEUED', attemptCount: 0, error: null }, sent]);
    await world.travel(3 * 86_400);
    await sendMails(ctx, mailer);
    expect(await readStates()).toMatchObject([{ status: 'FAILED', error: 'it was not sent in time' }, sent]);
    expect(smtp.mails).toHaveLength(1);
  });

  it('is not written without a mail server', async () => {
    expect(await write(1, {}, world.ctx)).toBe(0);
  });
});

it('texts of a merchant are one line in a mail, and no part of a link', async () => {
  const attack =
    'Phantom\r\nSecurity\u2028Your wallet was locked. Open https://evil.example/x, www.evil.example';
  const id = merchant.merchant.id;
  await world.db.merchant.update({ where: { id }, data: { companyName: attack } });
  await write(1);
  await sendMails(ctx, mailer);
  const [mail] = smtp.mails;
  if (!mail) throw new Error('No mail');
  expect(mail.from?.name).toMatch(/^Phantom Security Your wallet was .{0,10}… via dues$/);
  // What a mail program makes a link of: a URL, a domain, an address.
  const links = (text: string) => text.match(/\w+:\/\/\S+|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b|\S+@\S+/gi) ?? [];
  expect(links(mail.text ?? '')).toEqual(['https://dues.example/portal']);
  const words = (mail.html ?? '').replaceAll(/<[^>]*>/g, ' ');
  expect(links(words)).toEqual([]);
  expect(mail.text).toContain('subscriptions at Phantom Security Your wallet was locked. Open ');
});

it('a name with a line break or a URL is refused with its field, and a domain is not', async () => {
  const scope = { merchantId: merchant.merchant.id };
  for (const companyName of [
    'a\nb',
    'a\u2028b',
    'a\u202eb',
    ...INVISIBLE.flatMap((character) => [character, `a${character}b`]),
    '\u200d',
    '\u2800 \u2800',
    'see https://evil.example',
    'WWW.evil.example',
  ]) {
    expect(await refusal(updateProfile(ctx, scope, { companyName }))).toEqual(invalid('companyName'));
    expect(await refusal(world.publishPlan(merchant, { name: companyName }))).toEqual(invalid('name'));
  }
  for (const companyName of ['Booking.com', '👩‍🚀 Café ❤️', 'نیم‌فاصله']) {
    await updateProfile(ctx, scope, { companyName });
  }
});

/** Zero-width space, marks of direction, word joiner, Hangul filler and a tag. */
const INVISIBLE = ['\u200b', '\u200f', '\u061c', '\u2060', '\u3164', '\u{e0041}'];

it('a sender is cut between two characters, and loses its invisible ones', () => {
  const nameOf = (companyName: string) => senderName(foreignText(companyName), 'dues');
  expect(nameOf('💥'.repeat(40))).toBe(`${'💥'.repeat(40)} via dues`);
  expect(nameOf('💥'.repeat(41))).toBe(`${'💥'.repeat(39)}… via dues`);
  expect(nameOf(`A${INVISIBLE.join('')}cme`)).toBe('Acme via dues');
});

it('a preview shows the name of the merchant as text, never as markup', async () => {
  await world.db.merchant.update({
    where: { id: merchant.merchant.id },
    data: { companyName: '<b>"Acme" & Söhne</b>\nBcc: all@example.com' },
  });
  for (const template of merchantTemplates) {
    const { subject, text, html } = await previewMail(ctx, merchant.scope, template);
    expect(subject).not.toContain('\n');
    expect(html).not.toContain('<b>');
    expect(text.trim().length).toBeGreaterThan(40);
    expect(html).toMatch(/^<!doctype html>/);
  }
  const { html } = await previewMail(ctx, merchant.scope, 'RECEIPT');
  expect(html).toContain('&lt;b&gt;&quot;Acme&quot; &amp; Söhne&lt;/\u200bb&gt;');
});

it('wrong mail settings are refused by name, and change nothing', async () => {
  const change = (changes: Parameters<typeof updateMailSettings>[2]) =>
    updateMailSettings(ctx, merchant.scope, changes);
  expect(await refusal(change({ templates: ['FIRST_SALE'] }))).toEqual(invalid('merchantEmail'));
  expect(await refusal(change({ templates: ['PORTAL_LINK'] }))).toEqual(invalid('templates'));
  expect(await refusal(change({ merchantEmail: 'acme' }))).toEqual(invalid('merchantEmail'));
  for (const reminderDays of [0, 31, 1.5]) {
    expect(await refusal(change({ reminderDays, templates: [] }))).toEqual(invalid('reminderDays'));
  }
  expect(await world.db.mailSettings.count({ where: merchant.scope })).toBe(0);
  const settings = { templates: ['RECEIPT', 'RECEIPT', 'EXPIRED'], reminderDays: 3 } as const;
  expect(await change(settings)).toEqual({
    templates: ['RECEIPT', 'EXPIRED'],
    merchantEmail: null,
    reminderDays: 3,
  });
  const [entry] = await world.db.auditEntry.findMany({
    where: { merchantId: merchant.merchant.id, action: 'mail_settings.updated' },
  });
  expect(entry?.changes).toMatchObject({ reminderDays: { from: 7, to: 3 } });

  // During an upgrade, a process of the old release keeps templates that only the new one knows.
  const where = merchant.scope;
  await world.db.mailSettings.updateMany({ where, data: { templates: ['RECEIPT', 'OF_A_NEWER_RELEASE'] } });
  expect(await change({ templates: ['EXPIRED'] })).toMatchObject({ templates: ['EXPIRED'] });
  const row = await world.db.mailSettings.findFirstOrThrow({ where });
  expect(row.templates).toEqual(['EXPIRED', 'OF_A_NEWER_RELEASE']);
});
