/** The customer portal in a real browser, with the customer's wallet in it. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { applyDiscount, removeDiscount } from '../../src/domain/billing/discount/apply-discount.ts';
import { createDiscount } from '../../src/domain/billing/discount/create-discount.ts';
import { completeCheckout } from '../../src/domain/checkout/completion/complete-checkout.ts';
import { recordDuplicate } from '../../src/domain/checkout/completion/record-duplicate.ts';
import { createLink } from '../../src/domain/checkout/payment-link/create-link.ts';
import { createPortalSession } from '../../src/domain/portal/portal-link.ts';
import type { Plan, PortalFlow, Subscription } from '../../src/generated/prisma/client.ts';
import { findChromium, findFullChromium, startWithProfile } from '../../tools/chromium.ts';
import type { KeyedMerchant } from '../api/world.ts';
import { DAY, PRICE } from '../domain/world.ts';
import { SOON } from '../support/soon.ts';
import { type DashboardWorld, type Member, startDashboardWorld } from './dashboard-world.ts';
import { MEMBER_WALLET } from './member-wallet.ts';

const chromium = findChromium();
const fullChromium = findFullChromium();
if (!fullChromium) console.warn('SKIPPED: no chromium with profiles: connections ahead are not tested');
if (!chromium) console.warn('SKIPPED: no chromium: the portal is not tested');

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

/** The folder for screenshots; undefined for none. */
const SHOTS = process.env.DASHBOARD_SCREENSHOTS;

describe.skipIf(!chromium)('the portal', () => {
  let world: DashboardWorld;
  let merchant: KeyedMerchant;
  let plan: Plan;
  let wallet: KeyPairSigner;
  let subscription: Subscription;
  let customer: Member;
  beforeAll(async () => {
    world = await startDashboardWorld(chromium ?? '');
    merchant = await world.newKeyedMerchant();
    plan = await world.publishPlan(merchant, { name: 'Weekly notes', description: 'One letter a week.' });
    const past = await world.publishPlan(merchant, { planId: 'past', name: 'Old notes' });
    wallet = await world.newWallet(4n * PRICE);
    const { id } = await world.subscribe(merchant, plan, wallet);
    // The state after the first payment.
    const nextPaymentAt = new Date(world.ctx.clock.now().getTime() + DAY * 1_000);
    const data = { nextPaymentAt, nextAttemptAt: nextPaymentAt, paymentCount: 1 };
    subscription = await world.db.subscription.update({ where: { id }, data });
    const ended = await world.subscribe(merchant, past, wallet);
    await world.db.subscription.update({
      where: { id: ended.id },
      data: { status: 'EXPIRED', nextAttemptAt: null },
    });
    customer = await world.newMember(wallet);
  });
  afterAll(() => world.close());

  const urlOf = (path = '') => `${world.api.url}/portal${path}`;
  const click = ({ page }: Member, name: string) => page.getByRole('button', { name, exact: true }).click();
  /** Returns the findings of axe, and takes two screenshots: light and wide, dark and narrow. */
  async function checkPage(member: Member, name: string): Promise<string[]> {
    if (SHOTS) {
      for (const [scheme, width] of [
        ['light', 1024],
        ['dark', 320],
      ] as const) {
        await member.page.emulateMedia({ colorScheme: scheme });
        await member.page.setViewportSize({ width, height: 900 });
        const picture = await member.page.screenshot({ fullPage: true });
        await writeFile(join(SHOTS, `portal-${name}-${scheme}-${width}.png`), picture);
      }
    }
    return world.axeFindings(member);
  }
  async function enterByLink(flow: PortalFlow, returnUrl?: string): Promise<Member> {
    const input = { customer: subscription.customerId, flow, returnUrl };
    const { url } = await createPortalSession(world.ctx, merchant.scope, input);
    const member = await world.newMember(wallet);
    await member.page.goto(url);
    await member.page.getByRole('heading', { name: 'Sign in as ada@example.com at Acme?' }).waitFor();
    await click(member, 'Sign in');
    return member;
  }

  it('signs the wallet in, and shows active and past subscriptions', async () => {
    const { page, pageProblems } = customer;
    await page.goto(urlOf());
    await page.getByRole('heading', { name: 'See your subscriptions' }).waitFor();
    expect(await checkPage(customer, 'sign-in')).toEqual([]);
    await click(customer, MEMBER_WALLET);
    await page.getByRole('link', { name: /Weekly notes/ }).waitFor();
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Active', 'Past']);
    await page.getByRole('link', { name: /Old notes/ }).waitFor();
    await page.route('**/api/portal/subscriptions', (route) => route.abort(), { times: 1 });
    await page.reload();
    await page.getByText('The server is not responding.').waitFor();
    await click(customer, 'Try again');
    await page.getByRole('link', { name: /Old notes/ }).waitFor();
    expect(await checkPage(customer, 'list')).toEqual([]);
    await world.db.merchant.update({
      where: { id: merchant.merchant.id },
      data: { brandColor: '#ff6600', logoUrl: null },
    });
    const link = await createLink(world.ctx, merchant.scope, { planId: 'past' });
    await page.reload();
    // A page that a link opens has the focus, and screen readers read its title.
    await page.getByRole('link', { name: /Old notes/ }).press('Enter');
    await page.getByRole('status').getByText('Old notes', { exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
    // Of a sign-in with a wallet, only the page of one subscription belongs to one merchant.
    const mark = page.getByRole('banner').getByText('A', { exact: true });
    const colourOf = (element: Element) => getComputedStyle(element).backgroundColor;
    await expect.poll(() => mark.evaluate(colourOf), SOON).toBe('rgb(255, 102, 0)');
    await page.getByRole('banner').getByText('Acme', { exact: true }).waitFor();
    const again = page.getByRole('link', { name: 'Subscribe again' });
    expect(await again.getAttribute('href')).toBe(`/pay/${link.id}?email=ada%40example.com`);
    expect(await checkPage(customer, 'ended')).toEqual([]);
    await again.click();
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    expect(await page.getByLabel('Your email').inputValue()).toBe('ada@example.com');
    await page.goBack();
    await page.getByRole('link', { name: 'All subscriptions' }).click();
    await page.getByRole('link', { name: /Old notes/ }).waitFor();
    expect(await page.getByRole('banner').getByText('Acme').count()).toBe(0);
    expect(pageProblems).toEqual([]);
  });

  it('says how long the balance lasts, cancels with a reason, and undoes it', async () => {
    const { page, pageProblems } = customer;
    await page.goto(urlOf(`/${subscription.id}`));
    await page.getByText(/^Enough for 4 payments, until /).waitFor();
    await page
      .getByText('At most 5 USDC every day.')
      .or(page.getByText(/^At most 5\.?0* USDC every day/))
      .first()
      .waitFor();
    expect(await checkPage(customer, 'subscription')).toEqual([]);
    await click(customer, 'Cancel subscription');
    await page.getByLabel('I do not use it enough').check();
    await page.getByLabel('What could be better? (optional)').fill('Fewer letters.');
    expect(await checkPage(customer, 'cancel')).toEqual([]);
    await click(customer, 'Cancel subscription');
    await page.getByText('The subscription is cancelled.').waitFor();
    const [request] = await world.db.cancellationRequest.findMany();
    expect(request).toMatchObject({ reason: 'not_used', comment: 'Fewer letters.' });
    await click(customer, 'Keep subscription');
    await page.getByText('The subscription continues.').waitFor();
    await page.getByText(/ will be charged on /).waitFor();
    expect(pageProblems).toEqual([]);
  });

  it('pauses for two periods, says when the pause ends, and takes it back', async () => {
    await world.db.plan.update({ where: { id: plan.id }, data: { maxPausedPeriods: 3 } });
    const { page, pageProblems } = customer;
    await page.goto(urlOf(`/${subscription.id}`));
    await click(customer, 'Pause subscription');
    await page.getByLabel('How many payments do you want to skip?').selectOption('2');
    await page.getByText(/^The pause begins on .* and ends on /).waitFor();
    expect(await checkPage(customer, 'pause')).toEqual([]);
    await page.getByRole('button', { name: 'Pause subscription', exact: true }).press('Enter');
    await page.getByText('The subscription is paused.').waitFor();
    await page
      .getByText(/^Paused from .* you are not charged\. You have no access in the pause\. The pause ends on /)
      .waitFor();
    await click(customer, 'End the pause');
    expect(await checkPage(customer, 'end-pause')).toEqual([]);
    await click(customer, 'Do not pause');
    await page.getByText('The pause ends.').waitFor();
    await page.getByText(/ will be charged on /).waitFor();
    expect(pageProblems).toEqual([]);
  });

  it('says what a discount takes off, until when, and the price after it', async () => {
    const terms = { name: 'Spring', percentBps: 5_000, periods: 2 };
    const { id: discountId } = await createDiscount(world.ctx, merchant.scope, terms);
    await applyDiscount(world.ctx, merchant.scope, { subscription: subscription.id, discountId });
    const { page, pageProblems } = customer;
    await page.goto(urlOf(`/${subscription.id}`));
    await page
      .getByText('Spring: 50% off until December 4, 2026. From then on you pay 5.00 USDC every day.')
      .waitFor();
    await page.getByText(/^2\.50 USDC will be charged on /).waitFor();
    // The limit is the price without the discount.
    expect(await page.getByText(/may collect more than the price/).count()).toBe(0);
    expect(await checkPage(customer, 'discount')).toEqual([]);
    await removeDiscount(world.ctx, merchant.scope, { subscription: subscription.id });
    await page.reload();
    await page.getByText(/^5\.00 USDC will be charged on /).waitFor();
    expect(await page.getByRole('heading', { name: 'Discount' }).count()).toBe(0);
    expect(pageProblems).toEqual([]);
  });

  it('renews an approval with one signature, and shows that a top-up has arrived', async () => {
    await world.revoke(wallet, plan);
    await world.travel(4);
    const { page, pageProblems } = customer;
    await page.goto(urlOf());
    const listed = page.getByRole('link', { name: /The approval was revoked, so the charge of / });
    expect(await listed.textContent()).not.toContain('Next payment');
    await listed.click();
    await page.getByText(/^The approval was revoked, so the charge of .* Renew the approval/).waitFor();
    await click(customer, `Sign with ${MEMBER_WALLET}`);
    await page.getByText('Sent. Waiting for the network.').waitFor();
    // The state of a wallet is read again after a few seconds of the network's clock.
    await world.travel(4);
    await page.getByText('Done.').waitFor();
    await click(customer, 'Add money');
    await page.getByRole('img', { name: /^QR code/ }).waitFor();
    const href = await page.getByRole('link', { name: 'Open in wallet' }).getAttribute('href');
    expect(href).toBe(`solana:${wallet.address}?amount=15.00&spl-token=${plan.mint}`);
    expect(await checkPage(customer, 'top-up')).toEqual([]);
    await world.setTokens(wallet.address, 40n * PRICE);
    await world.travel(4);
    await page.getByText('The money has arrived.').waitFor();
    await page.getByText(/^Enough for 40 payments/).waitFor();
    expect(pageProblems).toEqual([]);
  });

  it('does not say that a top-up has arrived when a balance is read for the first time', async () => {
    const setFault = (times: number) =>
      world.network.faults.set({ methods: { getMultipleAccounts: { fault: 'server-error', times } } });
    // The state of a wallet is read again after a few seconds.
    await world.travel(4);
    setFault(1_000);
    onTestFinished(() => setFault(0));
    const { page } = await enterByLink('TOP_UP');
    await page.getByRole('img', { name: /^QR code/ }).waitFor();
    setFault(0);
    await world.travel(4);
    await page.getByText(/^Enough for 40 payments/).waitFor();
    expect(await page.getByText('The money has arrived.').count()).toBe(0);
  });

  it('opens one task with a link of the merchant, once', async () => {
    const visitor = await enterByLink('CANCEL', 'https://shop.example/account');
    await visitor.page.getByRole('heading', { name: 'Cancel a subscription' }).waitFor();
    await visitor.page.getByLabel('It is too expensive').waitFor();
    expect(visitor.page.url()).toBe(urlOf());
    expect(await visitor.page.getByRole('link', { name: 'Back to Acme' }).getAttribute('href')).toBe(
      'https://shop.example/account',
    );
    expect(await checkPage(visitor, 'task')).toEqual([]);
    expect(visitor.pageProblems).toEqual([]);
    await visitor.page.context().clearCookies();
    await visitor.page.reload();
    await visitor.page.getByRole('heading', { name: 'See your subscriptions' }).waitFor();
    // The tab already shows the portal.
    await visitor.page.goto(`${urlOf()}#link=used`);
    await visitor.page
      .getByRole('alert')
      .filter({ hasText: 'This link has expired or was used before' })
      .waitFor();
  });

  it('lets a wallet cancel and close what another wallet’s checkout completed', async () => {
    const twice = await world.publishPlan(merchant, { planId: 'twice', name: 'Twice' });
    const sessionId = await world.openSession(merchant, twice);
    const second = await world.newWallet(PRICE);
    const { subscriptionPda, signature } = await world.approve(sessionId, twice, second);
    const first = await world.newWallet(PRICE);
    await completeCheckout(world.ctx, sessionId, await world.approve(sessionId, twice, first));
    const account = { subscriber: second.address };
    await recordDuplicate(world.ctx, sessionId, { address: subscriptionPda, account, signature });
    const visitor = await world.newMember(second);
    const enter = async (member = visitor) => {
      await member.page.context().clearCookies();
      await member.page.goto(urlOf());
      await click(member, MEMBER_WALLET);
    };
    const other = await world.newMember(first);
    await enter(other);
    await other.page.getByRole('link', { name: /Twice/ }).waitFor();
    const answer = await other.page.request.get(`${world.api.url}/api/portal/duplicates`);
    expect(await answer.json()).toEqual({ duplicates: [] });
    await enter();
    await visitor.page.getByText('Twice at Acme').waitFor();
    expect(await checkPage(visitor, 'duplicate')).toEqual([]);
    await click(visitor, `Sign with ${MEMBER_WALLET}`);
    await visitor.page.getByText('Sent. Waiting for the network.').waitFor();
    // The state of a wallet is read again after a few seconds of the network's clock.
    await world.travel(4);
    await visitor.page.getByText(/^It is cancelled. From /).waitFor();
    await world.travel(2 * DAY);
    await enter();
    await click(visitor, `Sign with ${MEMBER_WALLET}`);
    await visitor.page.getByText('Sent. Waiting for the network.').waitFor();
    await world.travel(4);
    await visitor.page.getByText('Twice at Acme').waitFor({ state: 'detached' });
    expect(world.network.getAccount(subscriptionPda, 'confirmed')).toBeNull();
    expect(visitor.pageProblems).toEqual([]);
  });

  it.skipIf(!fullChromium)('opens on a connection that the browser had opened ahead', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dues-profile-'));
    await using counted = await countBytes(world.api.port);
    const context = await startWithProfile(fullChromium ?? '', folder);
    onTestFinished(async () => {
      await context.close();
      await rm(folder, { recursive: true });
    });
    const page = await context.newPage();
    const open = async () => {
      const answer = await page.goto(`${counted.url}/portal`);
      expect(answer?.status()).toBe(200);
      await page.getByRole('heading', { name: 'See your subscriptions' }).waitFor();
    };
    const silent = await vi.waitUntil(
      async () => {
        await open();
        const found = counted.connections.find(({ fromBrowser, isOver }) => fromBrowser === 0 && !isOver);
        // The browser opens new connections only if it has none that it can use again.
        if (!found) counted.closeAll();
        return found;
      },
      { timeout: 30_000 },
    );
    // The server ends a connection without a request after ten seconds.
    await vi.waitUntil(() => silent.isOver, { timeout: 30_000 });
    expect(silent).toEqual({ fromBrowser: 0, fromServer: 0, isOver: true });
    await open();
  });

  it('says what to do without JavaScript', async () => {
    const { page } = await world.newMember(wallet, { javaScriptEnabled: false });
    await page.goto(urlOf());
    await page.getByRole('heading', { name: 'This page needs JavaScript' }).waitFor();
    await page.getByText(/revoke the approval/).waitFor();
  });
});

/** Forwards connections to a port of this machine, and counts their bytes. */
async function countBytes(targetPort: number) {
  const connections: { fromBrowser: number; fromServer: number; isOver: boolean }[] = [];
  const sockets: Socket[] = [];
  const server = createServer((browser) => {
    const target = connect(targetPort, '127.0.0.1');
    const counted = { fromBrowser: 0, fromServer: 0, isOver: false };
    connections.push(counted);
    sockets.push(browser, target);
    browser.on('data', ({ length }) => {
      counted.fromBrowser += length;
    });
    target.on('data', ({ length }) => {
      counted.fromServer += length;
    });
    target.on('end', () => {
      counted.isOver = true;
    });
    for (const socket of [browser, target]) socket.on('error', () => undefined);
    browser.pipe(target).pipe(browser);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closeAll = () => {
    for (const socket of sockets.splice(0)) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    closeAll,
    async [Symbol.asyncDispose]() {
      closeAll();
      server.close();
      await once(server, 'close');
    },
  };
}
