/** Plans, API keys and first steps in the dashboard, in a real browser with a wallet that signs. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { inviteMember } from '../../src/domain/accounts/member/invite-member.ts';
import { createPlan } from '../../src/domain/catalog/plan/create-plan.ts';
import { findChromium } from '../../tools/chromium.ts';
import { DAY } from '../domain/world.ts';
import {
  type DashboardWorld,
  saveAndOpenView,
  startDashboardWorld,
  takeScreenshots,
} from './dashboard-world.ts';
import { MEMBER_WALLET } from './member-wallet.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED: no chromium: the pages of plans and keys are not tested');

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

describe.skipIf(!chromium)('plans, keys and first steps', () => {
  let world: DashboardWorld;
  let merchant: Awaited<ReturnType<DashboardWorld['newMerchant']>>;
  beforeAll(async () => {
    world = await startDashboardWorld(chromium ?? '');
    merchant = await world.newMerchant();
    const pro = await world.publishPlan(merchant, { planId: 'pro', name: 'Pro', description: 'All of it.' });
    await world.subscribe(merchant, pro, await world.newWallet());
  });
  afterAll(() => world?.close());

  const newDraft = (planId: string, name = 'Draft') =>
    createPlan(world.ctx, merchant.scope, { planId, name, amount: 5_000_000n, intervalSeconds: DAY });

  async function newMember(role: 'DEVELOPER' | 'READ_ONLY') {
    const wallet = await world.newWallet();
    const scope = { merchantId: merchant.merchant.id };
    await inviteMember(world.ctx, scope, { walletAddress: wallet.address, role });
    return wallet;
  }

  /** Observes the plan's account, as the indexer does. */
  async function mirrorPlan(planId: string) {
    const plan = await world.db.plan.findFirstOrThrow({ where: { planId } });
    await world.mirror(plan.address);
  }

  it('publishes a plan, from the form to the first checkout', async () => {
    const { page, pageProblems } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/plans/new'));
    // All that is missing is said at once, at its fields.
    await page.getByRole('button', { name: 'Continue to sign' }).click();
    await page.getByText('Enter a name.').waitFor();
    await page.getByText('Enter a number above zero with at most 6 decimals').waitFor();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(2);
    expect(
      await page.getByLabel('Name', { exact: true }).evaluate((field) => document.activeElement === field),
    ).toBe(true);
    await page.getByLabel('Name', { exact: true }).fill('Gold, monthly');
    await page.getByLabel('Price', { exact: true }).fill('1,000');
    await page.getByRole('button', { name: 'Continue to sign' }).click();
    await page.getByText('without a separator of thousands').waitFor();
    await page.getByLabel('Price', { exact: true }).fill('12,5');
    await page.getByLabel('Free trial').selectOption({ label: '7 days' });
    await page.getByLabel('Collect payments').selectOption('within 1 hour after they are due');
    const preview = page.getByRole('complementary', { name: 'What customers see' });
    expect(await preview.textContent()).toMatch(
      /Gold, monthly12\.50 USDCevery monthnext on [^<]+7 days free/,
    );
    await page.getByRole('button', { name: 'Continue to sign' }).click();

    await page.getByRole('heading', { name: 'Sign to publish this plan' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/test/plans/gold-monthly');
    await page.getByRole('button', { name: `Sign with ${MEMBER_WALLET}` }).click();
    await page.getByText('Waiting for the network to confirm it').waitFor();
    await mirrorPlan('gold-monthly');
    await page.getByText('Gold, monthly is active. Customers can subscribe now.').waitFor();
    await page.getByText('within 1 hour after they are due').waitFor();

    await page.getByRole('button', { name: 'Test checkout' }).click();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('dialog').getByRole('button', { name: 'Open checkout' }).click();
    const checkout = await opened;
    await checkout.getByRole('heading', { name: 'Gold, monthly' }).waitFor();
    await checkout.getByText(/^12\.50 USDC every month/).waitFor();
    expect(pageProblems).toEqual([]);
  });

  it('sells at a new price within the limit, and retires the one before', async () => {
    const member = await world.signIn(merchant.wallet);
    const { page, pageProblems } = member;
    await page.goto(world.urlOf('/plans/new'));
    await page.getByLabel('Name', { exact: true }).fill('Flex');
    await page.getByLabel('Price', { exact: true }).fill('5');
    await page.getByLabel('Limit', { exact: true }).fill('4.99');
    await page.getByRole('button', { name: 'Continue to sign' }).click();
    await page.getByText('Enter the price or more, or leave it empty.').waitFor();
    await page.getByLabel('Limit', { exact: true }).fill('8');
    await page
      .getByText('may collect more than the price without asking again: at most 8.00 USDC every month')
      .waitFor();
    await takeScreenshots(member, 'plan-form-limit');
    expect(await world.axeFindings(member)).toEqual([]);
    await page.getByRole('button', { name: 'Continue to sign' }).click();
    await page.getByText('at most 8.00 USDC every month', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Sign with ${MEMBER_WALLET}` }).click();
    await page.getByText('Waiting for the network to confirm it').waitFor();
    await mirrorPlan('flex');
    await page.getByText('Flex is active. Customers can subscribe now.').waitFor();

    const rows = page.getByRole('list', { name: 'Prices' }).getByRole('listitem');
    const create = page.getByRole('button', { name: 'Create price' });
    await page.getByLabel('New price').fill('8.01');
    await create.click();
    await page.getByText('Enter at most 8.00 USDC, the limit of the plan.').waitFor();
    expect(await page.getByLabel('New price').getAttribute('aria-invalid')).toBe('true');
    expect(await rows.allTextContents()).toEqual([expect.stringMatching(/^5\.00 USDC.*Current$/)]);
    await page.getByLabel('New price').fill('7.5');
    await create.click();
    await rows.filter({ hasText: '7.50 USDC' }).getByText('Current').waitFor();
    expect(await page.getByLabel('New price').inputValue()).toBe('');
    await takeScreenshots(member, 'plan-prices');
    expect(await world.axeFindings(member)).toEqual([]);

    const reader = await world.signIn(await newMember('READ_ONLY'));
    await reader.page.goto(world.urlOf('/plans/flex'));
    expect(await reader.page.getByRole('button', { name: 'Retire version 1' }).isDisabled()).toBe(true);
    expect(await reader.page.getByRole('button', { name: 'Create price' }).isDisabled()).toBe(true);

    await page.getByRole('button', { name: 'Retire version 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retire price' }).click();
    await rows.filter({ hasText: 'Version 1' }).getByText('Retired').waitFor();
    const { amount, maxAmount, prices } = await world.db.plan.findFirstOrThrow({
      where: { planId: 'flex' },
      include: { prices: { orderBy: { version: 'asc' } } },
    });
    expect([amount, maxAmount]).toEqual([7_500_000n, 8_000_000n]);
    expect(prices.map(({ retiredAt }) => retiredAt !== null)).toEqual([true, false]);
    expect(pageProblems).toEqual([]);
  });

  it('shares a plan by one link with its QR code and a button, without another page', async () => {
    const { page, pageProblems } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/plans/pro'));
    const dialog = page.getByRole('dialog', { name: 'Share Pro' });
    const link = dialog.getByRole('link', { name: /\/pay\// });
    await page.getByRole('button', { name: 'Share' }).click();
    await dialog.getByRole('button', { name: 'Create payment link' }).click();
    const url = await link.getAttribute('href');
    expect(await dialog.getByRole('img', { name: 'QR code of the link' }).evaluate(isLoaded)).toBe(true);
    expect(await dialog.locator('pre').textContent()).toContain(`href="${url}"`);
    expect(await dialog.evaluate(overflowWidth)).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Share' }).click();
    expect(await link.getAttribute('href')).toBe(url);
    expect(await world.db.paymentLink.count({ where: { plan: { planId: 'pro' } } })).toBe(1);
    await page.goto(url ?? '');
    await page.getByRole('heading', { name: 'Pro' }).waitFor();
    expect(pageProblems).toEqual([]);
  });

  it('asks for the word LIVE before a link takes real money', async () => {
    const { id: _, ...terms } = await world.db.plan.findFirstOrThrow({ where: { planId: 'pro' } });
    await world.db.plan.create({ data: { ...terms, environment: 'LIVE' } });
    const count = () => world.db.paymentLink.count({ where: { environment: 'LIVE' } });
    const member = await world.signIn(merchant.wallet);
    const { page, pageProblems } = member;
    const question = page.getByRole('dialog', { name: 'Create this link in LIVE?' });
    const confirm = question.getByRole('button', { name: 'Create link' });

    await page.goto(world.urlOf('/plans/pro', 'live'));
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create payment link' }).click();
    await question.getByText('pays real money').waitFor();
    expect([await confirm.isDisabled(), await count()]).toEqual([true, 0]);
    await question.getByLabel('Type LIVE to confirm').fill('LIVE');
    await confirm.click();
    await page.getByRole('link', { name: /\/pay\// }).waitFor();
    expect(await count()).toBe(1);

    await page.goto(world.urlOf('/links', 'live'));
    await page.getByRole('button', { name: 'Create link' }).click();
    const form = page.getByRole('dialog', { name: 'Create payment link' });
    await form.getByLabel('Note').fill('Spring letter');
    await form.getByLabel('Customers may enter a discount code').check();
    await form.getByRole('button', { name: 'Create link' }).first().click();
    await question.waitFor();
    expect(await world.axeFindings(member)).toEqual([]);
    // Escape closes only the question.
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Note').inputValue()).toBe('Spring letter');
    await form.getByRole('button', { name: 'Create link' }).first().click();
    await question.getByLabel('Type LIVE to confirm').fill('LIVE');
    await page.keyboard.press('Enter');
    // The new link is shown, selected for copying.
    const created = page.getByRole('dialog', { name: 'Share Spring letter' });
    const field = created.getByLabel('Link', { exact: true });
    await field.waitFor();
    const url = await created.getByRole('link', { name: /\/pay\// }).getAttribute('href');
    expect(await field.inputValue()).toBe(url);
    expect(await page.evaluate('getSelection().toString()')).toBe(url);
    expect(await world.axeFindings(member)).toEqual([]);
    await page.keyboard.press('Escape');
    await created.waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: /Spring letter/ });
    await row.getByText('Takes codes').waitFor();
    expect(await count()).toBe(2);

    // Switching a link on again also asks for the word LIVE.
    await row.getByRole('button', { name: 'Switch off' }).click();
    await page.getByLabel('Type LIVE to confirm').fill('LIVE');
    await page.keyboard.press('Enter');
    await row.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('dialog', { name: 'Switch Spring letter on' }).getByText('real money').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Status').selectOption('ON');
    await row.waitFor({ state: 'detached' });
    await page.getByLabel('Plan').selectOption({ label: 'Pro' });
    await page.waitForURL(world.urlOf('/links?status=ON&plan=pro', 'live'));
    await saveAndOpenView(page, 'Pro');
    await page.getByRole('button', { name: 'Share Pro' }).waitFor();
    expect(pageProblems).toEqual([]);
  });

  it('names the wallet that must sign before anything is signed', async () => {
    await newDraft('other-wallet');
    const { page } = await world.signIn(await newMember('DEVELOPER'), {
      approve: () => Promise.reject(new Error('The wallet was asked to sign')),
    });
    await page.goto(world.urlOf('/plans/other-wallet'));
    await page.getByText(/You are signed in as .{4}….{4}. Connect the wallet of the merchant/).waitFor();
    await page.getByRole('button', { name: `Sign with ${MEMBER_WALLET}` }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/used another account.*Nothing was signed/);
  });

  it('creates a new transaction if the wallet did not send the last one', async () => {
    await newDraft('expired');
    const transactions: string[] = [];
    const { page } = await world.signIn(merchant.wallet, {
      approve: async (transaction) => {
        transactions.push(transaction);
        if (transactions.length === 1) throw new Error('Blockhash not found');
        return world.sign(merchant.wallet, transaction);
      },
    });
    await page.goto(world.urlOf('/plans/expired'));
    const sign = page.getByRole('button', { name: `Sign with ${MEMBER_WALLET}` });
    await sign.click();
    await page.getByText(`${MEMBER_WALLET} did not send it: Blockhash not found.`).waitFor();
    world.network.tick();
    await sign.click();
    await page.getByText('Waiting for the network to confirm it').waitFor();
    expect(new Set(transactions).size).toBe(2);
  });

  it('changes what customers see, and closes a plan', async () => {
    await world.publishPlan(merchant, { planId: 'silver', name: 'Silver' });
    const { page } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/plans/silver'));
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Picture').fill('http://insecure.example/a.png');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter an address that begins with https://.').waitFor();
    await page.getByLabel('Picture').fill('');
    await page.getByLabel('Name', { exact: true }).fill('Silver plus');
    await page.getByLabel('Collect payments').selectOption('within 10 minutes after they are due');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Silver plus', level: 1 }).waitFor();
    await page.getByText('within 10 minutes after they are due').waitFor();
    const { collectWithinSeconds } = await world.db.plan.findFirstOrThrow({ where: { planId: 'silver' } });
    expect(collectWithinSeconds).toBe(600);

    await page.getByRole('button', { name: 'Close plan' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: `Sign with ${MEMBER_WALLET}` }).click();
    await page.getByText('Waiting for the network to confirm it').waitFor();
    await mirrorPlan('silver');
    await page.getByText('This plan takes no new customers.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('changes the features of a plan once it has said whom they reach, and its grace', async () => {
    const member = await world.signIn(merchant.wallet);
    const { page, pageProblems } = member;
    await page.goto(world.urlOf('/plans/pro'));
    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Access' }) });
    const dialog = page.getByRole('dialog');
    await card.getByText('As in the settings (none)').waitFor();
    await card.getByRole('button', { name: 'Change features' }).click();
    await dialog.getByLabel('Limit of feature 1').fill('5');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('Each feature needs a key').waitFor();
    await dialog.getByLabel('Key of feature 1').fill('Seats');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('alert').getByText('lower-case letters').waitFor();
    await dialog.getByLabel('Key of feature 1').fill('seats');
    await dialog.getByRole('button', { name: 'Add feature' }).click();
    await dialog.getByLabel('Key of feature 2').fill('export');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('This reaches 1 subscription at once.').waitFor();
    expect(await dialog.getByRole('status').textContent()).toContain('Added: export, seats');
    expect(await world.db.planFeature.count({ where: { plan: { planId: 'pro' } } })).toBe(0);
    expect(await world.axeFindings(member)).toEqual([]);
    await takeScreenshots(member, 'plan-features');
    // Another change must be previewed again.
    await dialog.getByLabel('Limit of feature 1').fill('7');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('button', { name: 'Save features' }).click();
    await page.getByText('Features saved.').waitFor();
    const list = card.getByRole('list', { name: 'Features' }).getByRole('listitem');
    await list.getByText('export').waitFor();
    expect(await list.allTextContents()).toEqual(['export', 'seats at most 7']);

    await card.getByRole('button', { name: 'Change features' }).click();
    await dialog.getByRole('button', { name: 'Remove feature 1' }).click();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('Removed: export').waitFor();
    await page.keyboard.press('Escape');
    await card.getByRole('button', { name: 'Change retries and grace' }).click();
    await dialog.getByLabel('Grace').selectOption({ label: '3 days' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await card.getByText('3 days', { exact: true }).waitFor();
    const plan = await world.db.plan.findFirstOrThrow({
      where: { planId: 'pro', environment: 'TEST' },
      include: { features: true },
    });
    expect(plan.graceSeconds).toBe(3 * DAY);
    expect(plan.features.map(({ key, limit }) => [key, limit]).sort()).toEqual([
      ['export', null],
      ['seats', 7n],
    ]);
    await takeScreenshots(member, 'plan-access');
    expect(await world.axeFindings(member)).toEqual([]);
    const reader = await world.signIn(await newMember('READ_ONLY'));
    await reader.page.goto(world.urlOf('/plans/pro'));
    expect(await reader.page.getByRole('button', { name: 'Change features' }).isDisabled()).toBe(true);
    expect(pageProblems).toEqual([]);
  });

  it('recommends a grace of 3 days for the first plan only', async () => {
    const other = await world.newMerchant();
    const { page } = await world.signIn(other.wallet);
    await page.goto(world.urlOf('/plans/new'));
    await page.getByText('We recommend 3 days').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('One');
    await page.getByLabel('Price', { exact: true }).fill('5');
    await page.getByRole('button', { name: 'Continue to sign' }).click();
    await page.getByRole('heading', { name: 'Sign to publish this plan' }).waitFor();
    expect(await world.db.plan.findFirst({ where: { planId: 'one' } })).toMatchObject({
      graceSeconds: 3 * DAY,
    });
    await page.goto(world.urlOf('/plans/new'));
    await page.getByText('from the due date of the payment that failed').waitFor();
    expect(await page.getByLabel('Grace').inputValue()).toBe('environment');
  });

  it('deletes a draft, and explains a problem of a plan', async () => {
    await newDraft('gone');
    const { page } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/plans/gone'));
    await page.getByRole('button', { name: 'Delete draft' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete draft' }).click();
    await page.waitForURL(world.urlOf('/plans'));
    expect(await world.db.plan.count({ where: { planId: 'gone' } })).toBe(0);

    const { id } = await world.publishPlan(merchant, { planId: 'broken', name: 'Broken' });
    await world.db.plan.update({ where: { id }, data: { problem: 'NOT_OUR_PLAN_TO_PULL' } });
    await page.goto(world.urlOf('/plans/broken'));
    await page.getByText('Payments of this plan cannot be collected').waitFor();
    await page.getByRole('button', { name: 'Repair' }).click();
    await page.getByRole('dialog', { name: 'Let dues collect again' }).waitFor();
  });

  it('shows the secret of a key once, and the key works', async () => {
    const { page, pageProblems } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/keys'));
    await page.getByText('No API keys yet').waitFor();
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Shop backend');
    await page.getByRole('checkbox', { name: /Write/ }).uncheck();
    await page.getByLabel('Expires').selectOption({ label: 'In 90 days' });
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const secret = await page.getByLabel('Key', { exact: true }).inputValue();
    expect((await world.request('GET', '/api/subscriptions', { key: secret })).status).toBe(200);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('You have not copied it').waitFor();
    await page.getByRole('button', { name: 'Close without copying' }).click();
    const row = page.getByRole('row', { name: /Shop backend/ });
    await row.waitFor();
    expect(await row.textContent()).toContain(`sk_test_…${secret.slice(-4)}`);
    expect(await page.content()).not.toContain(secret);

    await row.getByRole('button', { name: 'Rotate Shop backend' }).click();
    await page.getByLabel('The old key stops working').selectOption({ label: 'In 1 hour' });
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const second = await page.getByLabel('Key', { exact: true }).inputValue();
    expect(second).not.toBe(secret);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Close without copying' }).click();
    const rowOf = (key: string) => page.getByRole('row', { name: new RegExp(`sk_test_…${key.slice(-4)}`) });
    const oldRow = rowOf(secret);
    await oldRow.getByText('Replaced', { exact: true }).waitFor();
    await oldRow.getByText(`by …${second.slice(-4)}`).waitFor();
    await oldRow.getByText(/^Valid until .+, 20\d\d, /).waitFor();
    await oldRow.getByRole('button', { name: 'End the old key of Shop backend now' }).click();
    await page.getByRole('button', { name: 'End old key' }).click();
    await page.getByText('The old key is no longer valid.').waitFor();
    await oldRow.getByText('Revoked', { exact: true }).waitFor();
    expect((await world.request('GET', '/api/subscriptions', { key: secret })).status).toBe(401);
    expect((await world.request('GET', '/api/subscriptions', { key: second })).status).toBe(200);

    const newRow = rowOf(second);
    await newRow.getByRole('button', { name: 'Revoke Shop backend' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await newRow.getByText('Revoked', { exact: true }).waitFor();
    expect((await world.request('GET', '/api/subscriptions', { key: second })).status).toBe(401);
    expect(pageProblems).toEqual([]);
  });

  it('gives a read-only member no enabled control that writes', async () => {
    await newDraft('read-only');
    const { page } = await world.signIn(await newMember('READ_ONLY'));
    await page.goto(world.urlOf('/plans/new'));
    const next = page.getByRole('button', { name: 'Continue to sign' });
    await next.waitFor();
    expect(await next.isDisabled()).toBe(true);
    await page.goto(world.urlOf('/plans/pro'));
    for (const name of ['Edit', 'Close plan', 'Test checkout']) {
      expect(await page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
    }
    await page.goto(world.urlOf('/plans/read-only'));
    await page.getByText('Your role is read-only').waitFor();
    expect(await page.getByRole('button', { name: /Sign with/ }).count()).toBe(0);
    await page.goto(world.urlOf('/keys'));
    expect(await page.getByRole('button', { name: 'Create key' }).first().isDisabled()).toBe(true);
  });

  it('shows nothing of another merchant', async () => {
    const other = await world.newMerchant();
    const { page } = await world.signIn(other.wallet);
    await page.goto(world.urlOf('/plans/pro'));
    await page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor();
  });

  it('shows the first steps until they are dismissed', async () => {
    const other = await world.newMerchant();
    const { page } = await world.signIn(other.wallet);
    const card = page.getByRole('region', { name: 'Get started' });
    await card.getByText('0 of').waitFor();
    await card.getByRole('link', { name: 'All steps' }).click();
    await page.getByRole('heading', { name: 'Get started', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Open settings' }).waitFor();
    await world.publishPlan(other, { planId: 'first', name: 'First' });
    await page.reload();
    await page.getByText('1 of').waitFor();
    await page.getByText('Subscribe as a customer').click();
    await page.getByText('"planId": "first"').waitFor();
    await page.goto(world.urlOf('/'));
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await card.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByText('No subscriptions yet').waitFor();
    expect(await card.count()).toBe(0);
  });

  it.each([
    ['plan-create', '/plans/new', 'What customers see'],
    ['plan-draft', '/plans/read-only', 'Sign to publish this plan'],
    ['plan', '/plans/pro', 'Sell this plan'],
    ['plan-problem', '/plans/broken', 'Payments of this plan cannot be collected'],
    ['links', '/links', 'Share'],
    ['keys', '/keys', 'Shop backend'],
    ['onboarding', '/onboarding', 'See the first payment'],
  ])('axe finds nothing on %s, light on desktops and dark on phones', async (name, path, text) => {
    const member = await world.signIn(merchant.wallet);
    expect(await world.faultsOf(member, path, text, name)).toEqual([]);
  });
});

/** Runs in the page. */
async function isLoaded(element: unknown): Promise<boolean> {
  const image = element as { decode(): Promise<void>; naturalWidth: number };
  await image.decode();
  return image.naturalWidth > 0;
}

/** Runs in the page. */
function overflowWidth(element: unknown): number {
  const { scrollWidth, clientWidth } = element as { scrollWidth: number; clientWidth: number };
  return scrollWidth - clientWidth;
}
