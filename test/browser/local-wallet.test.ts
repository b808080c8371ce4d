/** The local network's wallet on the hosted checkout page, in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Api, startApi } from '../../src/api/server/server.ts';
import { findChromium, startChromium } from '../../tools/chromium.ts';
import { type ApiWorld, type KeyedMerchant, startApiWorld } from '../api/world.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED: no chromium: the local wallet is not tested');

vi.setConfig({ testTimeout: 60_000 });

const WALLET = 'dues local wallet';

describe.skipIf(!chromium)('the local wallet on the checkout page', () => {
  let world: ApiWorld;
  let merchant: KeyedMerchant;
  let api: Api;
  let browser: Browser;
  beforeAll(async () => {
    world = await startApiWorld();
    merchant = await world.newKeyedMerchant();
    const { config } = world.ctx;
    const extraWalletScript = new URL('/wallet.js', config.clusters.TEST?.rpcUrl).href;
    api = await startApi({ ...world.ctx, config: { ...config, extraWalletScript } });
    browser = await startChromium(chromium ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await api.close();
    await world.close();
  });

  /** Opens a checkout in a browser without another wallet, and collects the errors of the page. */
  async function visit(planId: string): Promise<{ page: Page; sessionId: string; errors: string[] }> {
    const plan = await world.publishPlan(merchant, { planId });
    const sessionId = await world.openSession(merchant, plan, { idempotencyKey: crypto.randomUUID() });
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(15_000);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(`${api.url}/checkout/${sessionId}`);
    return { page, sessionId, errors };
  }
  const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  it('pays with an account that it creates and funds, within the page’s policy', async () => {
    const { page, sessionId, errors } = await visit('on-the-spot');
    await click(page, WALLET);
    const dialog = page.getByRole('dialog', { name: 'Connect a wallet' });
    expect(await dialog.getByText('Test money').first().isVisible()).toBe(true);
    await click(page, 'New account with test money');
    await page.getByText('1000.00 USDC', { exact: true }).waitFor();
    await click(page, 'Approve subscription');
    const approval = page.getByRole('dialog', { name: 'Sign and send a transaction' });
    await approval.getByText('Subscriptions: subscribe to a plan').waitFor();
    await approval.getByText('10 SOL, 1,000 USDC').waitFor();
    await click(page, 'Get test money for Test account 1');
    await approval.getByText('20 SOL, 2,000 USDC').waitFor();
    await click(page, 'Approve');
    await page.getByRole('heading', { name: 'You are subscribed' }).waitFor();
    const { subscription } = await world.db.checkoutSession.findUniqueOrThrow({
      where: { id: sessionId },
      include: { subscription: true },
    });
    expect(subscription?.status).toBe('ACTIVE');
    expect(errors).toEqual([]);
  });

  it('works by keyboard, can be declined, and keeps its accounts for the next page', async () => {
    const { page, errors } = await visit('by-keyboard');
    await page.getByRole('button', { name: WALLET }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Connect a wallet' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(`${WALLET} was not connected.`).waitFor();
    await click(page, WALLET);
    await click(page, 'New account with test money');
    await click(page, 'Approve subscription');
    await click(page, 'Reject');
    await page.getByText('The request was rejected').waitFor();
    await page.reload();
    await click(page, WALLET);
    await page.getByRole('button', { name: /^Test account 1 / }).click();
    await page.getByRole('button', { name: 'Approve subscription' }).press('Enter');
    await page.getByRole('dialog', { name: 'Sign and send a transaction' }).waitFor();
    await page.getByLabel('Approve without asking for this page').press('Space');
    await page.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'You are subscribed' }).waitFor();
    expect(errors).toEqual([]);
  });
});
