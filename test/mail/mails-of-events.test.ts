import { beforeEach, expect, it } from 'vitest';
import { recordProblems } from '../../src/domain/billing/collect/record-plan-problems.ts';
import { waivePayment } from '../../src/domain/billing/waive/waive-payment.ts';
import { switchedTemplates } from '../../src/domain/messages/mail/mail-settings.ts';
import { mailsOfPayments } from '../../src/domain/messages/mail/mails-of-payments.ts';
import { updateMailSettings } from '../../src/domain/messages/mail/update-mail-settings.ts';
import { writeCollectorMail } from '../../src/domain/messages/mail/write-collector-mail.ts';
import { writePortalLinkMail } from '../../src/domain/messages/mail/write-mails.ts';
import { writeTimedMails } from '../../src/domain/messages/mail/write-timed-mails.ts';
import { triggerEvent } from '../../src/domain/messages/webhook/trigger-event.ts';
import { inTransaction } from '../../src/jobs/in-transaction.ts';
import { type ReceivedMail, startSmtpReceiver } from '../../tools/smtp-receiver.ts';
import { ok, status } from '../../tools/world/webhook-receiver.ts';
import { DAY, PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const MERCHANT = 'merchant@acme.example';

const smtp = await sharedByFile(startSmtpReceiver());
const world = await sharedByFile(startWorld({ mail: smtp.config }));
await updateMailSettings(world.ctx, world.scope, { templates: switchedTemplates, merchantEmail: MERCHANT });
await world.ctx.db.merchant.update({
  where: { id: world.scope.merchantId },
  data: {
    supportEmail: 'help@acme.example',
    brandColor: '#0a7d4f',
    logoUrl: 'https://acme.example/logo.png',
  },
});
beforeEach(() => {
  smtp.mails.length = 0;
});

const emailOf = ({ wallet }: Subscriber) => `${wallet.address.slice(0, 8)}@example.com`;

/**
 * Waits for the only mail whose subject matches, and checks the parts that all mails share.
 */
async function waitForMail(recipient: string, subject: RegExp): Promise<ReceivedMail> {
  await world.until(`a mail to ${recipient} about ${subject}`, () => findMails().length > 0);
  const [mail, ...others] = findMails();
  if (!mail) throw new Error('No mail');
  expect(others).toEqual([]);
  expect(mail.subject).toMatch(/^\[Test\] /);
  expect(mail.text).toContain('Test mode: no real money moves.');
  expect(mail.html).toContain('Test mode: no real money moves.');
  return mail;

  function findMails() {
    return smtp.to(recipient).filter((mail) => subject.test(mail.subject ?? ''));
  }
}

/** Expects the words in the text and in the HTML. */
function expectWords({ text, html }: ReceivedMail, ...words: (string | RegExp)[]): void {
  for (const word of words) {
    expect(text).toMatch(word);
    expect(html).toMatch(word);
  }
}

/** The kinds and recipients of the mails about a customer's first payment. */
async function mailsOf({ id: address }: Subscriber): Promise<string[][]> {
  const { db } = world.ctx;
  const { id } = await db.payment.findFirstOrThrow({ where: { subscription: { address }, number: 1 } });
  const mails = (await mailsOfPayments(db, [id])).get(id) ?? [];
  return mails.map(({ template, recipient }) => [template, recipient]).sort();
}

/** A text of the merchant without what mail programs make links of. */
const unlinked = (text: string) => text.replaceAll(/[.:/](?=\S)/g, '$&\u200b');

it('a payment has a receipt, and the first one a mail to the merchant', async () => {
  const planId = await world.plan();
  const customer = await world.subscriber(planId);
  await world.quiet();
  const receipt = await waitForMail(emailOf(customer), /Receipt from Acme: 5\.00 USDC/);
  expectWords(
    receipt,
    '5.00 USDC received',
    planId,
    customer.wallet.address,
    'Next payment',
    'help@acme.example',
    'Manage the subscription',
    /\/portal\/[\w-]{36}/,
  );
  expect(receipt.html).toContain('https://acme.example/logo.png');
  expect(receipt.html).toContain('#0a7d4f');
  expect(receipt.from).toEqual({ name: 'Acme via dues', address: 'billing@dues.example' });
  expect(receipt.replyTo).toEqual([{ name: '', address: 'help@acme.example' }]);
  expect(receipt.header('list-unsubscribe')).toBeUndefined();
  const event = await world.ctx.db.event.findFirstOrThrow({
    where: { type: 'subscription.payment_succeeded', subscription: { address: customer.id } },
  });
  expect(receipt.messageId).toBe(`<${event.id}.receipt@dues.example>`);
  const sale = await waitForMail(MERCHANT, /Your first payment: 5\.00 USDC/);
  expectWords(sale, /\/dashboard\/test\/payments\//, 'dues');
  expect(await mailsOf(customer)).toEqual([
    ['FIRST_SALE', MERCHANT],
    ['RECEIPT', emailOf(customer)],
  ]);
  const other = await world.subscriber(await world.plan());
  await world.quiet();
  await waitForMail(emailOf(other), /Receipt/);
  expect(smtp.to(MERCHANT)).toHaveLength(1);
  expect(await mailsOf(other)).toEqual([['RECEIPT', emailOf(other)]]);
});

it('a payment that waits for a top-up has one mail, also if later ones fail', async () => {
  const planId = await world.plan();
  await world.ctx.db.plan.updateMany({ where: { planId }, data: { retryPolicy: 'UNTIL_PAID' } });
  const customer = await world.subscriber(planId, { payments: 1 });
  await world.quiet();
  await world.travel(DAY);
  const first = await waitForMail(emailOf(customer), /Your payment to Acme failed/);
  expectWords(first, /it is collected later in its period, as soon as your wallet has the money/);
  smtp.mails.length = 0;
  for (const seconds of [60, 300]) await world.travel(seconds);
  const last = await waitForMail(emailOf(customer), /Your payment to Acme failed/);
  expectWords(last, /The payment is collected as soon as.*You have no access until a payment succeeds/s);
  smtp.mails.length = 0;
  await world.travel(DAY);
  expect(await customer.state()).toMatchObject({ state: 'past_due', failureCount: 4 });
  await customer.setBalance(5n * PRICE);
  await waitForMail(emailOf(customer), /Receipt from Acme/);
  expect(smtp.to(emailOf(customer)).map(({ subject }) => subject)).toHaveLength(1);
});

it('a customer whose payment waits gets one mail, and another one if it waits again', async () => {
  const planId = await world.plan();
  const where = { merchantId: world.scope.merchantId, planId };
  await world.ctx.db.plan.updateMany({ where, data: { retryPolicy: 'UNTIL_PAID' } });
  const customer = await world.subscriber(planId, { payments: 1 });
  await world.quiet();
  const mailsThatWait = () =>
    smtp.to(emailOf(customer)).filter(({ text }) => text?.includes('The next payment is tried on')).length;
  for (const episode of [1, 2]) {
    for (const seconds of [DAY, 65, 305, DAY]) await world.travel(seconds);
    await world.until(`the mail of episode ${episode}`, () => mailsThatWait() >= episode);
    await waivePayment(world.ctx, world.scope, { subscription: customer.id });
    await world.quiet();
  }
  expect(mailsThatWait()).toBe(2);
});

it('a customer who cannot pay gets a mail, and one when the subscription ends', async () => {
  const planId = await world.plan();
  const where = { merchantId: world.scope.merchantId, planId };
  await world.ctx.db.plan.updateMany({ where, data: { graceSeconds: DAY } });
  const customer = await world.subscriber(planId, { payments: 1 });
  await world.quiet();
  await world.travel(DAY);
  const failed = await waitForMail(emailOf(customer), /Your payment to Acme failed/);
  expectWords(
    failed,
    'Your wallet has 0.00 USDC, and the payment needs 5.00 USDC',
    'Please add 5.00 USDC by',
  );
  await world.travel(65);
  await world.travel(305);
  const ended = await waitForMail(emailOf(customer), /has ended/);
  expectWords(ended, 'failed 3 times', 'Your access ends on', 'You are welcome to come back');
  expect(smtp.to(emailOf(customer)).map(({ subject }) => subject)).toHaveLength(3);
});

it('a customer who cancels gets a mail with the end of access', async () => {
  const customer = await world.subscriber(await world.plan());
  await world.quiet();
  await customer.cancel();
  const mail = await waitForMail(emailOf(customer), /is cancelled/);
  expectWords(mail, 'Nothing more is collected', 'What you have paid for lasts until');
});

it('reminders precede a renewal by seven days and a trial’s end by three', async () => {
  const renewing = await world.subscriber(await world.plan({ interval: 30 * DAY }));
  const trying = await world.subscriber(await world.plan({ interval: 30 * DAY, trial: 26 * DAY }));
  await world.quiet();
  await writeTimedMails(world.ctx);
  await world.travel(22 * DAY);
  await writeTimedMails(world.ctx);
  expect(smtp.mails.filter(({ subject }) => subject?.includes(' on '))).toEqual([]);
  await world.travel(1.5 * DAY);
  for (let times = 0; times < 3; times += 1) await writeTimedMails(world.ctx);
  const reminder = await waitForMail(emailOf(renewing), /renews on/);
  expectWords(reminder, '5.00 USDC every 30 days', 'No more reminders', 'Due on');
  const end = await waitForMail(emailOf(trying), /Your trial of .* ends on/);
  expectWords(end, 'If you cancel before that, nothing is collected');

  const link = reminder.header('list-unsubscribe') ?? '';
  expect(link).toMatch(/^<http:\/\/127\.0\.0\.1:3000\/mail\/unsubscribe\/[\w-]{43}>$/);
  expect(reminder.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const url = link.slice(1, -1).replace('http://127.0.0.1:3000', world.apiUrl);
  expect(await (await fetch(url)).text()).toContain('No more reminders?');
  const customer = () =>
    world.ctx.db.customer.findFirstOrThrow({ where: { walletAddress: renewing.wallet.address } });
  expect((await customer()).remindersOffAt).toBeNull();
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
  expect((await customer()).remindersOffAt).not.toBeNull();
  const altered = `${url.slice(0, -2)}${url.endsWith('AA') ? 'BA' : 'AA'}`;
  expect((await fetch(altered, { method: 'POST', body })).status).toBe(404);
  // Both pay in time. A payment that is made shortly before the next renewal has no reminder.
  for (const days of [3, 4.5, 22.5]) await world.travel(days * DAY);
  await writeTimedMails(world.ctx);
  await waitForMail(emailOf(trying), /renews on/);
  expect((await mailsOf(trying)).map(([template]) => template)).toEqual(['RECEIPT', 'TRIAL_ENDS']);
  // This is the reminder from before.
  await waitForMail(emailOf(renewing), /renews on/);
});

it('moving the time neither reports nor disables an endpoint', async () => {
  const readEndpoint = () => world.ctx.db.webhookEndpoint.findFirstOrThrow({ where: world.scope });
  world.receiver.answer = status(503);
  await world.subscriber(await world.plan());
  await world.until('an attempt has failed', async () => (await readEndpoint()).failingSince !== null);
  const ofEndpoint = { template: { in: ['ENDPOINT_FAILING', 'ENDPOINT_DISABLED'] } };
  const { length } = world.receiver.received;
  await world.jump(30 * DAY);
  await world.until('it has failed again', () => world.receiver.received.length > length);
  await writeTimedMails(world.ctx);
  expect((await readEndpoint()).status).toBe('ENABLED');
  expect(await world.ctx.db.mail.count({ where: ofEndpoint })).toBe(0);
  world.receiver.answer = ok;
  await world.jump(DAY);
  await world.until('it is healthy', async () => (await readEndpoint()).failingSince === null);
  await world.quiet();
});

it('the merchant gets mails about an endpoint that fails and one that is disabled', async () => {
  const endpoint = await world.ctx.db.webhookEndpoint.findFirstOrThrow({ where: world.scope });
  const failingSince = new Date(world.ctx.wallClock.now().getTime() - 2 * 3_600_000);
  await world.ctx.db.webhookEndpoint.update({ where: { id: endpoint.id }, data: { failingSince } });
  for (let times = 0; times < 2; times += 1) await writeTimedMails(world.ctx);
  expectWords(
    await waitForMail(MERCHANT, /is failing/),
    unlinked(endpoint.url),
    /\/dashboard\/test\/webhooks\//,
  );
  world.receiver.answer = status(410);
  await world.subscriber(await world.plan());
  expectWords(
    await waitForMail(MERCHANT, /was disabled/),
    unlinked(endpoint.url),
    'It receives nothing until you enable it again',
  );
});

it('a plan’s problem is mailed to the merchant, a collector’s to the operator', async () => {
  const planId = await world.plan();
  const { address } = await world.ctx.db.plan.findFirstOrThrow({ where: { ...world.scope, planId } });
  const problem = { address, problem: 'RECEIVER_FROZEN' } as const;
  for (let times = 0; times < 2; times += 1) await recordProblems(world.ctx, 'TEST', [problem]);
  expectWords(
    await waitForMail(MERCHANT, /cannot be collected/),
    'The token account of your wallet is frozen',
    planId,
  );

  const state = {
    environment: 'TEST',
    address: 'collector',
    role: 'current',
    lamports: 50_000_000n,
  } as const;
  const low = { ...state, canPay: true, lamportsPerDay: 10_000_000n, daysLeft: 5 };
  for (let times = 0; times < 2; times += 1) await writeCollectorMail(world.ctx, low);
  await world.until('the operator has the mail', () => smtp.to('operator@dues.example').length > 0);
  const [operatorMail, ...others] = smtp.to('operator@dues.example');
  expect(others).toEqual([]);
  expectWords(operatorMail as ReceivedMail, '0.05 SOL', 'its SOL lasts 5 days');
  const feePayer = { ...state, address: 'payer', role: 'fee_payer', lamports: 0n } as const;
  await writeCollectorMail(world.ctx, { ...feePayer, canPay: false, lamportsPerDay: null, daysLeft: null });
  await world.until('the operator has another', () => smtp.to('operator@dues.example').length > 1);
  const [, payerMail] = smtp.to('operator@dues.example');
  expectWords(payerMail as ReceivedMail, 'The others pay until the fee payer has SOL', '0 SOL');

  const url = `https://dues.example/portal/enter#${'a'.repeat(43)}`;
  const expiresAt = new Date(world.ctx.wallClock.now().getTime() + 900_000);
  const link = { scope: world.scope, email: 'ada@example.com', url, expiresAt, id: 'session 1' };
  await inTransaction(world.ctx, (tx) => writePortalLinkMail(world.ctx, tx, link));
  expectWords(await waitForMail('ada@example.com', /Your link to Acme/), url, 'It works once, until');
  await world.until('the mail is stored as sent, without the link', async () => {
    const stored = await world.ctx.db.mail.findFirstOrThrow({ where: { template: 'PORTAL_LINK' } });
    return stored.status === 'SENT' && JSON.stringify(stored.content) === '{}';
  });
});

it('a sample event writes no mail', async () => {
  const customer = await world.ctx.db.subscription.findFirstOrThrow({
    where: { merchantId: world.scope.merchantId },
  });
  const trigger = { type: 'subscription.expired', subscriptionId: customer.address };
  const { id } = await triggerEvent(world.ctx, world.scope, trigger);
  await world.until('the event is relayed', async () => {
    const event = await world.ctx.db.event.findUniqueOrThrow({ where: { id } });
    return event.relayedAt !== null;
  });
  expect(await world.ctx.db.mail.count({ where: { cause: id } })).toBe(0);
});
