/** Subscriptions, payments and customers in the dashboard. */

import { generateKeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { savePosition } from '../../indexer/stream-position.ts';
import { inviteMember } from '../../src/domain/accounts/member/invite-member.ts';
import { collectDue } from '../../src/domain/billing/collect/collect-due.ts';
import { refreshStates } from '../../src/domain/billing/customer-state/refresh-states.ts';
import { createDiscount } from '../../src/domain/billing/discount/create-discount.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { Resends } from '../../src/domain/billing/follow/resends.ts';
import { createPrice } from '../../src/domain/billing/price/create-price.ts';
import { checkRefunds } from '../../src/domain/billing/refund/check-refunds.ts';
import { finalizePayments } from '../../src/domain/billing/settle/finalize-payments.ts';
import { updatePlan } from '../../src/domain/catalog/plan/update-plan.ts';
import { eventsOfPayments } from '../../src/domain/messages/event/events-of-payments.ts';
import { createEndpoint } from '../../src/domain/messages/webhook/create-endpoint.ts';
import { sendTestEvent } from '../../src/domain/messages/webhook/send-test-event.ts';
import type { Subscription } from '../../src/generated/prisma/client.ts';
import { findBrokenWords } from '../../tools/broken-words.ts';
import { findChromium } from '../../tools/chromium.ts';
import { dashboardRoutes } from '../../tools/dashboard/routes.ts';
import { signAsWallet } from '../../tools/world/wallet.ts';
import { seedReceipt } from '../api/seed.ts';
import { DAY, PRICE } from '../domain/world.ts';
import { namedAddress } from '../support/named-address.ts';
import {
  type DashboardWorld,
  saveAndOpenView,
  startDashboardWorld,
  takeScreenshots,
} from './dashboard-world.ts';
import { MEMBER_WALLET } from './member-wallet.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED: no chromium: the pages of subscriptions are not tested');

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const ROUTES = dashboardRoutes();

/** Names of buttons that change nothing except the member's own browser and sessions. */
const READ_BUTTONS =
  /^(GraphQL|Views|Share|Export CSV|Copy|Read again|Pause|Resume|More filters|Clear filters|Previous|Next|Show older entries|Attempt \d+.*|Sign out( of .*| everywhere)?|Edit .{6}….{4})$/;

describe.skipIf(!chromium)('subscriptions in the dashboard', () => {
  let world: DashboardWorld;
  let merchant: Awaited<ReturnType<DashboardWorld['newMerchant']>>;
  const subscriptions: Record<string, Subscription> = {};
  const pathOf: Record<string, () => string> = {
    subscriptions: () => '/subscriptions',
    subscription: () => `/subscriptions/${subscriptions.bob?.id}`,
    payments: () => '/payments',
    customers: () => '/customers',
    customer: () => `/customers/${subscriptions.bob?.customerId}`,
  };

  /** Ada pays, Bob has too little, Cleo removed her approval, Dan has paid and cancelled on chain. */
  beforeAll(async () => {
    world = await startDashboardWorld(chromium ?? '');
    world.fund(world.chain.collector.address, 1_000_000_000n);
    merchant = await world.newMerchant();
    const pro = await world.publishPlan(merchant, { planId: 'pro', name: 'Pro' });
    const wallets = {
      ada: await world.newWallet(),
      bob: await world.newWallet(PRICE / 2n),
      cleo: await world.newWallet(),
      dan: await world.newWallet(),
    };
    for (const [name, wallet] of Object.entries(wallets)) {
      const input = {
        customerEmail: `${name}@example.com`,
        customerId: `user-${name}`,
        metadata: { seat: name },
      };
      subscriptions[name] = await world.subscribe(merchant, pro, wallet, input);
    }
    await world.revoke(wallets.cleo, pro);
    const { id: danId = '', startedAt = new Date() } = subscriptions.dan ?? {};
    const nextPaymentAt = new Date(startedAt.getTime() + DAY * 1_000);
    await world.db.subscription.update({ where: { id: danId }, data: { nextPaymentAt } });
    await world.onChain.cancel(wallets.dan, pro);
    await world.mirror(subscriptions.dan?.address ?? '');
    // A missing approval is a failure only if the mirror is current.
    const slot = BigInt(world.network.slot('confirmed'));
    await savePosition(world.ctx, 'TEST', slot, { receivedSlot: slot, doubt: null });
    const resends = new Resends();
    await vi.waitFor(async () => {
      await collectDue(world.ctx, 'TEST');
      await followTransactions(world.ctx, 'TEST', resends);
      const { paymentCount } = await world.db.subscription.findUniqueOrThrow({
        where: { id: subscriptions.ada?.id ?? '' },
      });
      const pastDue = await world.db.subscription.count({ where: { status: 'PAST_DUE' } });
      expect([paymentCount, pastDue]).toEqual([1, 2]);
    }, 30_000);
  });
  afterAll(() => world?.close());

  it('says in the feed who paid how much, and what became of it', async () => {
    const { page, pageProblems } = await world.signIn(merchant.wallet);
    const rowOf = (title: string) => page.getByRole('listitem').filter({ hasText: title });
    await rowOf('5.00 USDC from ada@example.com').getByText('Collected · Pro', { exact: true }).waitFor();
    await rowOf('5.00 USDC from bob@example.com')
      .getByText('Failed · Balance too low · Pro', { exact: true })
      .waitFor();
    await rowOf('dan@example.com').getByText('New subscription · Pro', { exact: true }).waitFor();
    // On a phone, too, the amounts are whole.
    await page.setViewportSize({ width: 390, height: 900 });
    const title = page.getByText('5.00 USDC from bob@example.com', { exact: true });
    expect(await title.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    expect(pageProblems).toEqual([]);
  });

  it('lists subscriptions by status with their counts, and keeps filters in the URL', async () => {
    const { page, pageProblems } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/subscriptions'));
    await page.getByRole('row', { name: /ada@example.com/ }).waitFor();
    await page.getByRole('link', { name: 'Past due 2' }).click();
    await page.getByRole('row', { name: /bob@example.com/ }).waitFor();
    await page.getByRole('row', { name: /ada@example.com/ }).waitFor({ state: 'detached' });
    await page.getByLabel('Reason').selectOption({ label: 'Approval revoked' });
    await page.getByRole('row', { name: /bob@example.com/ }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /cleo@example.com/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=PAST_DUE&failure=APPROVAL_REVOKED');
    await page.getByRole('link', { name: /^All/ }).click();
    await page.getByLabel('Customer, wallet or address').fill('nobody@example.com');
    await page.getByText('Nothing matches these filters').waitFor();
    // A phone shows the rows first, and most filters only after a click.
    await page.goto(world.urlOf('/subscriptions'));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel('Plan', { exact: true }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Plan', { exact: true }).selectOption({ label: 'Pro' });
    await page.getByRole('button', { name: 'Fewer filters' }).click();
    await page.getByRole('button', { name: 'More filters (1 set)' }).waitFor();
    expect(pageProblems).toEqual([]);
  });

  it('searches at the first letter, one search at a time', async () => {
    const { page } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/subscriptions'));
    await page.getByRole('row', { name: /ada@example.com/ }).waitFor();
    let underWay = 0;
    let most = 0;
    const texts: string[] = [];
    await page.route('**/graphql', async (route) => {
      const { query, variables } = route.request().postDataJSON();
      if (!query.includes('query SubscriptionRows')) return route.continue();
      underWay += 1;
      most = Math.max(most, underWay);
      texts.push(variables.filter.search);
      const response = await route.fetch();
      underWay -= 1;
      return route.fulfill({ response });
    });
    await page.getByLabel('Customer, wallet or address').pressSequentially('bob@example.com');
    await page.getByRole('row', { name: /ada@example.com/ }).waitFor({ state: 'detached' });
    await page.waitForURL((url) => url.searchParams.get('search') === 'bob@example.com');
    await page.getByRole('row', { name: /bob@example.com/ }).waitFor();
    expect({ most, first: texts[0], last: texts.at(-1) }).toEqual({
      most: 1,
      first: 'b',
      last: 'bob@example.com',
    });
    await page.unroute('**/graphql');
    await page.goBack();
    await page.getByRole('row', { name: /ada@example.com/ }).waitFor();
    expect(await page.getByLabel('Customer, wallet or address').inputValue()).toBe('');
  });

  it('names the plan of a filter that is older than the newest 100', async () => {
    const other = await world.newMerchant();
    const { id: _, ...oldest } = await world.publishPlan(other, { planId: 'oldest', name: 'Oldest' });
    const createdAt = new Date(oldest.createdAt.getTime() + DAY * 1_000);
    const newer = Array.from({ length: 100 }, (_, index) => {
      const planId = `newer-${index}`;
      return { ...oldest, planId, name: planId, createdAt, address: namedAddress(planId) };
    });
    await world.db.plan.createMany({ data: newer });
    const { page } = await world.signIn(other.wallet);
    await page.goto(world.urlOf('/subscriptions?plan=oldest'));
    await page.getByRole('option', { name: 'Oldest' }).waitFor({ state: 'attached' });
    expect(await page.getByLabel('Plan', { exact: true }).inputValue()).toBe('oldest');
  });

  it('explains a low balance by the missing amount, but not a missing approval', async () => {
    const { page } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf(`/subscriptions/${subscriptions.bob?.id}`));
    const bob = page.getByRole('region', { name: /A payment is overdue/ });
    await bob.waitFor();
    expect(await bob.textContent()).toContain('balance too low');
    expect(await bob.textContent()).toContain('5.00 USDC required, 2.50 USDC available.');
    await page.goto(world.urlOf(`/subscriptions/${subscriptions.cleo?.id}`));
    const cleo = page.getByRole('region', { name: /A payment is overdue/ });
    await cleo.waitFor();
    expect(await cleo.textContent()).toContain('approval revoked');
    expect(await cleo.textContent()).toContain('The approval is gone: a higher balance does not help.');
    expect(await cleo.textContent()).not.toMatch(/USDC|balance too low/i);
    // The wallet holds enough, but without an approval that is no runway.
    const wallet = page.locator('section', { has: page.getByRole('heading', { name: 'Wallet now' }) });
    await wallet.getByText('Gone', { exact: true }).waitFor();
    expect(await wallet.textContent()).not.toContain('Enough for');
  });

  it('says first that a lost approval fails the next payment', async () => {
    const other = await world.newMerchant();
    const plan = await world.publishPlan(other);
    const wallet = await world.newWallet();
    const { id } = await world.subscribe(other, plan, wallet);
    await world.revoke(wallet, plan);
    const { page, pageProblems } = await world.signIn(other.wallet);
    await page.goto(world.urlOf(`/subscriptions/${id}`));
    const banner = page.getByRole('region', { name: 'The next payment will fail' });
    await banner.waitFor();
    expect(await banner.textContent()).toContain(
      'The customer revoked it or used it up, and must sign again.',
    );
    expect(await page.getByText('dues collects it automatically.').count()).toBe(0);
    expect(pageProblems).toEqual([]);
  });

  it('shows the wallet’s balance and approval separately, and retries a payment', async () => {
    const { page, pageProblems } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf(`/subscriptions/${subscriptions.bob?.id}`));
    const wallet = page.locator('section', { has: page.getByRole('heading', { name: 'Wallet now' }) });
    await wallet.getByText('Valid', { exact: true }).waitFor();
    expect(await wallet.textContent()).toContain('2.50 USDC');
    expect(await wallet.textContent()).toContain('No payment: the balance is too low');
    const before = await world.db.subscription.findUniqueOrThrow({
      where: { id: subscriptions.bob?.id ?? '' },
    });
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText('Retrying the payment.').waitFor();
    const after = await world.db.subscription.findUniqueOrThrow({
      where: { id: subscriptions.bob?.id ?? '' },
    });
    expect(Number(after.nextAttemptAt)).toBeLessThan(Number(before.nextAttemptAt));
    await page.getByRole('link', { name: 'View deliveries' }).click();
    await page.waitForURL(world.urlOf(`/webhooks?subscription=${subscriptions.bob?.id}`));
    expect(pageProblems).toEqual([]);
  });

  it('starts the pages of a payment and of a customer with who and how much', async () => {
    const payment = await world.db.payment.findFirstOrThrow({
      where: { subscriptionId: subscriptions.ada?.id ?? '', status: 'SUCCEEDED' },
    });
    const eventId = (await eventsOfPayments(world.db, [payment.id])).get(payment.id)?.[0] ?? '';
    const now = world.ctx.clock.now();
    await world.db.mail.create({
      data: {
        ...merchant.scope,
        template: 'RECEIPT',
        recipient: 'ada@example.com',
        cause: eventId,
        nextAttemptAt: now,
        expiresAt: now,
        createdAt: now,
      },
    });
    await world.db.delivery.create({
      data: {
        ...merchant.scope,
        eventId,
        endpointId: await newEndpoint(),
        nextAttemptAt: now,
        createdAt: now,
      },
    });
    const member = await world.signIn(merchant.wallet);
    const { page, pageProblems } = member;
    const { id, startedAt, nextPaymentAt, nextAttemptAt } = await world.db.subscription.findUniqueOrThrow({
      where: { id: subscriptions.ada?.id ?? '' },
    });
    // Her payment is due, and the plan lets it be attempted later.
    const inHalfAnHour = new Date(world.ctx.clock.now().getTime() + 30 * 60_000);
    const waiting = { nextPaymentAt: startedAt, nextAttemptAt: inHalfAnHour };
    await world.db.subscription.update({ where: { id }, data: waiting });
    await page.goto(world.urlOf(`/subscriptions/${id}`));
    await page.getByText(/^A payment is due, and will be collected in \d+ minutes$/).waitFor();
    await world.db.subscription.update({ where: { id }, data: { nextPaymentAt, nextAttemptAt } });
    await page.reload();
    await page.getByRole('heading', { name: 'ada@example.com', level: 1 }).waitFor();
    await page.getByText('"seat": "ada"').waitFor();
    await page.getByRole('table', { name: 'Payments' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: '5.00 USDC from ada@example.com', level: 1 }).waitFor();
    await page.getByText('The transfer has landed on chain.').waitFor();
    await page.getByText('Dec 1, 2026 – Dec 2, 2026').waitFor();
    const webhooks = page.getByRole('table', { name: 'Webhooks' });
    await webhooks.getByRole('row', { name: /Payment collected.*Pending https:\/\/shop\.example/ }).waitFor();
    const mails = page.getByRole('table', { name: 'Emails' });
    await mails.getByRole('row', { name: /Payment receipt ada@example.com Waiting/ }).waitFor();
    expect(await world.axeFindings(member)).toEqual([]);
    await takeScreenshots(member, 'payment');
    expect(await findBrokenWords(page, [390, 720, 1440])).toEqual([]);
    const explorer = page.getByRole('link', { name: 'Open in block explorer' });
    expect(await explorer.getAttribute('href')).toMatch(/tx\/[1-9A-HJ-NP-Za-km-z]{60,}/);
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    await page.getByText('user-ada').waitFor();
    const [paid, next] = await page.getByRole('definition').allTextContents();
    expect([paid, next]).toEqual([
      '5.00 USDCBefore refunds',
      expect.stringMatching(/^5\.00 USDC.*tomorrow$/),
    ]);
    expect(await world.axeFindings(member)).toEqual([]);
    await takeScreenshots(member, 'customer');
    expect(await findBrokenWords(page, [390, 720, 1440])).toEqual([]);
    await page.getByRole('link', { name: 'View all 1' }).click();
    await page.getByRole('row', { name: /ada@example.com/ }).waitFor();
    await saveAndOpenView(page, 'Ada');
    await page.getByRole('row', { name: /ada@example.com/ }).waitFor();
    await page.getByRole('row', { name: /bob@example.com/ }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('customer')).toBe('ada@example.com');
    expect(pageProblems).toEqual([]);
  });

  it('begins a customer’s page with what they may do, and follows it', async () => {
    const member = await world.signIn(merchant.wallet);
    const { page, pageProblems } = member;
    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Access' }) });
    const open = async (name: string) => {
      await page.goto(world.urlOf(`/customers/${subscriptions[name]?.customerId}`));
      await card.getByRole('list', { name: 'Access by subscription' }).waitFor();
      return (await card.textContent())?.replace(
        'What your backend reads as the state of this customer.',
        '',
      );
    };
    expect(await open('ada')).toBe('AccessHas accessproPaid, or in its trialGives access');
    expect(await open('bob')).toBe('AccessHas accessproA payment failed and is retriedGives access');
    expect(await open('dan')).toMatch(
      /^AccessHas accessuntil (Dec 2, 2026[^D]+)proCancelled, until \1Gives access$/,
    );
    const features = [{ key: 'export' }, { key: 'seats', limit: 1_000 }];
    await updatePlan(world.ctx, merchant.scope, 'pro', { features });
    await refreshStates(world.ctx);
    await world.relay();
    await card.getByText('at most 1,000').waitFor();
    expect(
      await card.getByRole('list', { name: 'Features' }).getByRole('listitem').allTextContents(),
    ).toEqual(['export', 'seats at most 1,000']);
    await takeScreenshots(member, 'customer-access');
    expect(await world.axeFindings(member)).toEqual([]);
    expect(await findBrokenWords(page, [390, 720, 1440])).toEqual([]);
    expect(pageProblems).toEqual([]);
  });

  it('changes the customer’s details on receipts, with errors beside their fields', async () => {
    const member = await world.signIn(merchant.wallet);
    const { page, pageProblems } = member;
    await page.goto(world.urlOf(`/customers/${subscriptions.dan?.customerId}`));
    await page.getByText('Only the email address.').waitFor();
    await page.getByRole('button', { name: 'Change receipt details' }).click();
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: 'Save' });
    const address = dialog.getByLabel('Address', { exact: true });
    await dialog.getByLabel('Name or company').fill('Dan & Sons Ltd');
    await address.fill(`${'line\n'.repeat(8)}line`);
    await save.click();
    await dialog.getByText(/^This must/).waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
    await address.fill('1 Main Street\nSpringfield');
    await dialog.getByLabel('Tax ID').fill('7'.repeat(51));
    await save.click();
    await dialog.getByText(/^This must/).waitFor();
    expect(await world.axeFindings(member)).toEqual([]);
    await takeScreenshots(member, 'customer-receipts');
    await dialog.getByLabel('Tax ID').fill('GB 123');
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('1 Main Street Springfield').waitFor();
    const where = { id: subscriptions.dan?.customerId ?? '' };
    expect(await world.db.customer.findUniqueOrThrow({ where })).toMatchObject({
      billingName: 'Dan & Sons Ltd',
      billingAddress: '1 Main Street\nSpringfield',
      taxId: 'GB 123',
    });
    await page.goto(world.urlOf('/audit?action=customer.updated'));
    await page.getByRole('link', { name: 'Customer changed' }).click();
    await page.getByText('GB 123').waitFor();
    expect(pageProblems).toEqual([]);
  });

  it('refunds a part of a payment, and shows the refund as soon as it is final', async () => {
    const { db, ctx, chain, network } = world;
    const payment = await db.payment.findFirstOrThrow({
      where: { subscriptionId: subscriptions.ada?.id ?? '', status: 'SUCCEEDED' },
    });
    for (let blocks = 0; blocks < 40; blocks += 1) network.tick();
    await finalizePayments(ctx, 'TEST');
    const path = `/payments/${payment.id}`;
    const readOnly = await generateKeyPairSigner();
    const { merchantId } = merchant.scope;
    await inviteMember(ctx, { merchantId }, { walletAddress: readOnly.address, role: 'READ_ONLY' });
    const reader = await world.signIn(readOnly);
    await reader.page.goto(world.urlOf(path));
    const forbidden = reader.page.getByRole('button', { name: 'Refund', exact: true });
    await forbidden.waitFor();
    expect(await forbidden.isDisabled()).toBe(true);

    // The first transaction is signed, and is lost on its way.
    let isLost = true;
    const member = await world.signIn(merchant.wallet, {
      approve: async (transaction) =>
        isLost
          ? (await signAsWallet(merchant.wallet, transaction)).signature
          : world.sign(merchant.wallet, transaction),
    });
    const { page, pageProblems } = member;
    await page.goto(world.urlOf(path));
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The wallet of ada@example.com, which paid').waitFor();
    expect(await dialog.getByText(subscriptions.ada?.walletAddress.slice(0, 6) ?? '').count()).toBe(1);
    // By keyboard alone: the dialog begins at the amount.
    await dialog.getByText('After it, you keep 0.00 USDC of the 5.00 USDC.').waitFor();
    await page.keyboard.press('ArrowRight');
    expect(await dialog.getByRole('radio', { name: 'Half 2.50 USDC' }).isChecked()).toBe(true);
    await dialog.getByText('After it, you keep 2.50 USDC of the 5.00 USDC.').waitFor();
    expect(await world.axeFindings(member)).toEqual([]);
    await takeScreenshots(member, 'refund-half');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    await page.keyboard.type('6');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter at most 5.00 USDC').waitFor();
    await page.keyboard.press('Backspace');
    await page.keyboard.type('2');
    await dialog.getByText('After it, you keep 3.00 USDC of the 5.00 USDC.').waitFor();
    await dialog.getByLabel('Reason (optional)').fill('Two days without service');
    await dialog.getByRole('button', { name: 'Continue to send' }).click();
    const code = dialog.getByRole('img', { name: 'QR code that sends the refund' });
    const signButton = dialog.getByRole('button', { name: `Sign with ${MEMBER_WALLET}` });
    const phoneButton = dialog.getByRole('button', { name: 'Use the same wallet on a phone' });
    await phoneButton.click();
    await code.waitFor();
    expect(await signButton.count()).toBe(0);
    expect(await world.axeFindings(member)).toEqual([]);
    await takeScreenshots(member, 'refund-dialog');
    await dialog.getByRole('button', { name: 'Use a wallet in this browser' }).click();
    await signButton.click();
    const nothingToSend = async () => {
      for (const part of [code, phoneButton, signButton]) expect(await part.count()).toBe(0);
    };
    const sent = dialog.getByText('The refund was sent. It is refunded when');
    await sent.waitFor();
    await nothingToSend();
    await takeScreenshots(member, 'refund-sent');
    // Opened again, it offers nothing either.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Follow' }).click();
    await dialog.getByText('may still land. Wait until that is known.').waitFor();
    await nothingToSend();
    expect(await world.axeFindings(member)).toEqual([]);
    await world.travelOnChain(121);
    await dialog.getByText('did not land, and no longer can').waitFor();
    isLost = false;
    await signButton.click();
    await sent.waitFor();
    await nothingToSend();
    for (let blocks = 0; blocks < 40; blocks += 1) network.tick();
    await db.refund.updateMany({ where: { paymentId: payment.id }, data: { nextCheckAt: ctx.clock.now() } });
    await checkRefunds(ctx, chain);
    await world.relay();
    await page.getByText('The refund is final on chain.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    const refunds = page.getByRole('table', { name: 'Refunds' });
    await refunds.getByText('Succeeded').waitFor();
    expect(await refunds.textContent()).toContain('Two days without service');
    await takeScreenshots(member, 'payment-refunded');
    await page.goto(world.urlOf(`/subscriptions/${subscriptions.ada?.id}`));
    await page.getByText('Payment 5.00 USDC: succeeded, 2.00 USDC refunded').waitFor();
    await page.goto(world.urlOf('/'));
    await page.getByText('2.00 USDC refunded').waitFor();
    await takeScreenshots(member, 'overview-refunded');
    expect(await world.axeFindings(member)).toEqual([]);
    expect(pageProblems).toEqual([]);
  });

  it('lists receipts with their refunds, and finds, opens and exports them', async () => {
    const member = await world.signIn(merchant.wallet);
    const { page, pageProblems } = member;
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    const row = page.getByRole('row', { name: /Receipt 1 ada@example\.com/ });
    await row.getByText('5.00 USDC', { exact: true }).waitFor();
    await row.getByText('2.00 USDC refunded').waitFor();
    expect(await world.axeFindings(member)).toEqual([]);
    await takeScreenshots(member, 'receipts');
    // A narrow page hides most filters.
    await page.setViewportSize({ width: 1440, height: 900 });
    const pdf = await row.getByRole('link', { name: 'PDF of receipt 1' }).getAttribute('href');
    expect((await page.request.get(pdf ?? '')).headers()['content-type']).toBe('application/pdf');

    const number = page.getByLabel('Number', { exact: true });
    for (const other of ['one', '2', '0', '9'.repeat(10)]) {
      await number.fill(other);
      await page.waitForURL((url) => url.searchParams.get('number')?.includes(other) ?? false);
      await page.getByText('Nothing matches these filters').waitFor();
    }
    await number.fill('1');
    await row.waitFor();
    await page.getByLabel('Issued until').fill('2026-01-01');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByLabel('Issued until').fill('');
    await page.getByLabel('Subscription', { exact: true }).fill(subscriptions.bob?.id ?? '');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByLabel('Subscription', { exact: true }).fill('');
    await page.getByLabel('Customer', { exact: true }).fill('ADA@example.com');
    await page.waitForURL((url) => url.searchParams.get('customer') === 'ADA@example.com');
    await row.waitFor();
    await saveAndOpenView(page, 'Ada');
    await row.waitFor();
    const response = page.waitForResponse(/exports/);
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const exported = await response;
    expect(new URL(exported.url()).search).toBe('?number=1&customer=ADA%40example.com&environment=test');
    expect(exported.status()).toBe(200);

    await row.getByRole('link', { name: 'Pro, payment 1' }).click();
    await page.getByRole('heading', { name: '5.00 USDC from ada@example.com', level: 1 }).waitFor();
    await page.goBack();
    await row.getByRole('link', { name: 'Receipt 1', exact: true }).click();
    await page.waitForURL(/\/receipts\/[^/]+$/);
    await page.goto(world.urlOf(`/subscriptions/${subscriptions.ada?.id}`));
    await page.getByRole('link', { name: 'All receipts' }).click();
    await row.waitFor();
    expect(pageProblems).toEqual([]);

    await page.keyboard.press('/');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    await page.keyboard.type('receipt 1');
    await page.getByRole('button', { name: /^Receipt 1/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('number')?.includes('1') ?? false);
    await row.waitFor();
    // No event reports a receipt: the list follows the payments that become final.
    await page.goto(world.urlOf('/receipts'));
    await page.getByText('Live', { exact: true }).first().waitFor();
    const bobs = await world.db.payment.findFirstOrThrow({
      where: { subscriptionId: subscriptions.bob?.id ?? '' },
    });
    await seedReceipt(world.db, merchant.scope, bobs.id, 2, world.ctx.clock.now());
    // The page may subscribe a short time after its connection is open.
    await vi.waitFor(async () => {
      await world.ctx.live.publish('payment.recorded', { ...merchant.scope, paymentId: bobs.id });
      await page.getByRole('row', { name: /Receipt 2 bob@example\.com/ }).waitFor({ timeout: 2_000 });
    }, 20_000);
    expect(pageProblems).toEqual([]);

    const { page: other } = await world.signIn((await world.newMerchant()).wallet);
    await other.goto(world.urlOf('/receipts?number=1'));
    await other.getByText('Nothing matches these filters').waitFor();
    await other.goto(world.urlOf('/receipts'));
    await other.getByText('No receipts yet').waitFor();
    await takeScreenshots({ page: other }, 'receipts-empty');
    await other.getByRole('main').getByRole('link', { name: 'Go to settings' }).click();
    await other.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  });

  it('cancels at the period’s end after a confirmation, and undoes it', async () => {
    const { page } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf(`/subscriptions/${subscriptions.ada?.id}`));
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByText('Ends at the end of the paid period').waitFor();
    const row = await world.db.subscription.findUniqueOrThrow({ where: { id: subscriptions.ada?.id ?? '' } });
    expect(row).toMatchObject({ status: 'ACTIVE', cancelAtPeriodEnd: true });
    await page.goto(world.urlOf('/subscriptions'));
    await page.getByRole('row', { name: /bob@example.com/ }).waitFor();
    await page.getByLabel('Renewal').selectOption({ label: 'Ends with the period' });
    await page.getByRole('row', { name: /bob@example.com/ }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?renewal=ENDS');
    const request = page.waitForRequest(/exports/);
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect((await request).url()).toContain('statuses=active%2Cpast_due&cancelAtPeriodEnd=true');
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    await page.getByRole('button', { name: 'Keep subscription' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep subscription' }).click();
    await page.getByText('The subscription continues.').waitFor();
    const kept = await world.db.subscription.findUniqueOrThrow({
      where: { id: subscriptions.ada?.id ?? '' },
    });
    expect(kept).toMatchObject({ status: 'ACTIVE', cancelAtPeriodEnd: false });
  });

  it('cancels now if the subscription becomes past due while the dialog is open', async () => {
    const other = await world.newMerchant();
    const plan = await world.publishPlan(other, { planId: 'late' });
    const { id } = await world.subscribe(other, plan, await world.newWallet(PRICE / 2n));
    const { page } = await world.signIn(other.wallet);
    await page.goto(world.urlOf(`/subscriptions/${id}`));
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /At the end/ }).waitFor();
    const resends = new Resends();
    const read = () => world.db.subscription.findUniqueOrThrow({ where: { id } });
    await vi.waitFor(async () => {
      await collectDue(world.ctx, 'TEST');
      await followTransactions(world.ctx, 'TEST', resends);
      expect((await read()).status).toBe('PAST_DUE');
    }, 30_000);
    await world.relay();
    await dialog.getByRole('radio', { name: /At the end/ }).waitFor({ state: 'detached' });
    expect(await dialog.getByRole('radio').isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByText('The customer keeps access').or(page.getByText('Access has ended.')).waitFor();
    expect(await read()).toMatchObject({ status: 'CANCELLED', cancelAtPeriodEnd: false });
  });

  it('says whether a cancelled subscription still has access', async () => {
    const { page } = await world.signIn(merchant.wallet);
    const id = subscriptions.dan?.id ?? '';
    await page.goto(world.urlOf(`/subscriptions/${id}`));
    await page.getByText('The customer keeps access until').waitFor();
    const { startedAt } = await world.db.subscription.findUniqueOrThrow({ where: { id } });
    await world.db.subscription.update({ where: { id }, data: { accessUntil: startedAt } });
    await page.reload();
    await page.getByText('Access has ended.').waitFor();
  });

  it('breaks no word of a list at any width', async () => {
    const { page } = await world.signIn(merchant.wallet);
    for (const path of [
      '/subscriptions',
      '/payments',
      '/customers',
      '/plans',
      '/audit',
      pathOf.subscription?.() ?? '',
    ]) {
      await page.goto(world.urlOf(path));
      await page.getByRole('table').first().waitFor();
      const found = await findBrokenWords(page, [390, 720, 899, 900, 1024, 1440]);
      expect({ path, found }).toEqual({ path, found: [] });
    }
  });

  it('downloads the whole filtered list as CSV', async () => {
    const { page } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/subscriptions?status=PAST_DUE'));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    const lines = Buffer.concat(chunks).toString().trim().split('\n');
    // The two may have begun in the same millisecond, and then come in either order.
    const mails = lines.slice(1).map((line) => /[a-z]+@example\.com/.exec(line)?.[0]);
    expect(mails.sort()).toEqual(['bob@example.com', 'cleo@example.com']);
  });

  /** Returns an address for every route. Its `$` parts are ids of the merchant's rows. */
  async function findAddresses(): Promise<Record<string, string>> {
    const payment = await world.db.payment.findFirstOrThrow({ where: { status: 'DUE' } });
    const delivery = await world.db.delivery.findFirst();
    const discount = await createDiscount(world.ctx, merchant.scope, { name: 'Half', percentBps: 5_000 });
    const { id, endpointId, eventId } =
      delivery ?? (await sendTestEvent(world.ctx, merchant.scope, { endpointId: await newEndpoint() }));
    const lists = [...ROUTES].filter((route) => !route.includes('$')).map((route) => [route, route]);
    return {
      ...Object.fromEntries(lists),
      '/plans/$planId': '/plans/pro',
      '/discounts/$id': `/discounts/${discount.id}`,
      '/subscriptions/$id': `/subscriptions/${subscriptions.bob?.id}`,
      '/payments/$id': `/payments/${payment.id}`,
      '/customers/$id': `/customers/${subscriptions.bob?.customerId}`,
      '/webhooks/$id': `/webhooks/${endpointId}`,
      '/deliveries/$id': `/deliveries/${id}`,
      '/events/$id': `/events/${eventId}`,
    };
  }

  async function newEndpoint(): Promise<string> {
    const { endpoint } = await createEndpoint(world.ctx, { ...merchant.scope, url: 'https://shop.example' });
    return endpoint.id;
  }

  it('shows nothing of another merchant at any address', async () => {
    const { page } = await world.signIn((await world.newMerchant()).wallet);
    for (const [route, address] of Object.entries(await findAddresses())) {
      if (!route.includes('$')) continue;
      await page.goto(world.urlOf(address));
      await page.getByText('It does not exist, or belongs to another merchant').waitFor();
      await page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor();
    }
  });

  it('shows a read-only member no enabled button that writes, on any page', async () => {
    const wallet = await world.newWallet();
    const scope = { merchantId: merchant.merchant.id };
    await inviteMember(world.ctx, scope, { walletAddress: wallet.address, role: 'READ_ONLY' });
    const { page, pageProblems } = await world.signIn(wallet);
    const pages = await findAddresses();
    expect(new Set(Object.keys(pages))).toEqual(ROUTES);
    for (const address of Object.values(pages)) {
      await page.goto(world.urlOf(address));
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const names = await page
        .getByRole('main')
        .locator('button:enabled:not([role=tab])')
        .evaluateAll((buttons) =>
          // Runs in the page.
          (buttons as unknown as { ariaLabel: string | null; textContent: string }[]).map(
            ({ ariaLabel, textContent }) => (ariaLabel ?? textContent).replace(/\s+/g, ' ').trim(),
          ),
        );
      expect(names.filter((name) => !READ_BUTTONS.test(name))).toEqual([]);
    }
    expect(pageProblems).toEqual([]);
  });

  it.each([
    ['subscriptions', 'bob@example.com'],
    ['subscription', 'History'],
    ['payments', 'bob@example.com'],
    ['customers', 'user-bob'],
    ['customer', 'user-bob'],
  ])('axe finds nothing on %s, light on desktops and dark on phones', async (name, text) => {
    const member = await world.signIn(merchant.wallet);
    const { page, pageProblems } = member;
    await page.goto(world.urlOf(pathOf[name]?.() ?? ''));
    await page.getByText(text, { exact: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    const found = await world.axeFindings(member);
    await takeScreenshots(member, name);
    expect(found).toEqual([]);
    expect(pageProblems).toEqual([]);
  });

  // It moves the time of all tests of this file, so it is the last one.
  it('updates relative times while the time is moved elsewhere', async () => {
    const { page } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/subscriptions'));
    const due = page
      .getByRole('row', { name: /ada@example.com/ })
      .locator('time')
      .first();
    await due.filter({ hasText: /tomorrow|in 23 hours/ }).waitFor();
    const { nextPaymentAt } = await world.db.subscription.findUniqueOrThrow({
      where: { id: subscriptions.ada?.id ?? '' },
    });
    const msLeft = Number(nextPaymentAt) - world.ctx.clock.now().getTime();
    await world.travelOnChain(msLeft / 1_000 - 60);
    await due.filter({ hasText: /in \d+ seconds|in 1 minute/ }).waitFor();
    await world.travelOnChain(240);
    await due.filter({ hasText: /\d minutes ago/ }).waitFor();
  });

  it('shows a subscription’s own price, its next payment and what is left to collect', async () => {
    const other = await world.newMerchant();
    const plan = await world.publishPlan(other, { planId: 'flex', name: 'Flex', maxAmount: 8_000_000n });
    const { id } = await world.subscribe(other, plan, await world.newWallet());
    await createPrice(world.ctx, other.scope, 'flex', 7_000_000n);
    const member = await world.signIn(other.wallet);
    const { page, pageProblems } = member;
    await page.goto(world.urlOf('/subscriptions'));
    await page.getByRole('row', { name: /ada@example.com.*Flex.*5\.00 USDC every day/ }).waitFor();
    await page.goto(world.urlOf(`/subscriptions/${id}`));
    await page.getByText('Flex · 5.00 USDC every day').waitFor();
    const factsOf = async (title: string) => {
      const card = page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) });
      return Object.fromEntries(
        await card
          .locator('dl > div')
          .evaluateAll((facts) =>
            facts.map((fact) => [...fact.children].map(({ textContent }) => textContent)),
          ),
      );
    };
    expect(await factsOf('Next payment')).toEqual({
      Due: expect.stringContaining('2026'),
      Amount: '5.00 USDC',
      Limit: 'at most 8.00 USDC every day',
      'Left of the limit': expect.stringMatching(/^8\.00 USDC/),
    });
    expect(await factsOf('Details')).toMatchObject({ Price: '5.00 USDCVersion 1' });
    await takeScreenshots(member, 'subscription-limit');
    expect(await world.axeFindings(member)).toEqual([]);

    // What does not fit into the limit is a line of its own.
    const subscription = await world.db.subscription.findUniqueOrThrow({ where: { id } });
    await world.db.payment.create({
      data: {
        ...other.scope,
        subscriptionId: id,
        periodStart: subscription.chainCreatedAt,
        ordinal: 1,
        kind: 'EXTRA',
        dueAt: subscription.startedAt,
        amount: 6_000_000n,
        lines: [{ kind: 'EXTRA', text: 'Collected by the owner', amount: '6000000' }],
        paidAmount: 6_000_000n,
        status: 'SUCCEEDED',
        number: 1,
        paidAt: subscription.startedAt,
        signature: 'an extra payment',
      },
    });
    await page.reload();
    await page.getByText('Total', { exact: true }).waitFor();
    expect(await factsOf('Next payment')).toMatchObject({
      Flex: '5.00 USDC',
      Total: '2.00 USDC',
      'Left of the limit': expect.stringMatching(/^2\.00 USDC/),
    });
    expect(pageProblems).toEqual([]);
  });
});
