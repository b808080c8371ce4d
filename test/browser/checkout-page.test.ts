/** The hosted checkout page in a real browser, from the offer to the subscription. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getBase58Encoder } from '@solana/kit';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sendWire } from '../../src/chain/rpc/send.ts';
import { cancelSubscription } from '../../src/domain/billing/lifecycle/cancel-subscription.ts';
import { dateText } from '../../src/domain/catalog/money/date-text.ts';
import { createLink } from '../../src/domain/checkout/payment-link/create-link.ts';
import { updateLink } from '../../src/domain/checkout/payment-link/update-link.ts';
import { axeFindings } from '../../tools/axe.ts';
import { findChromium } from '../../tools/chromium.ts';
import { fundedWallet, signAsWallet } from '../../tools/world/wallet.ts';
import { DAY } from '../domain/world.ts';
import { type CheckoutWorld, type Customer, SHOP, startCheckoutWorld, WALLET } from './checkout-world.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED: no chromium: the checkout page is not tested');

vi.setConfig({ testTimeout: 60_000 });

/** Buttons, and links that look like one. */
const BUTTONS = ':is(button, a.inline-flex):visible';
const SUCCESS = `${SHOP}/done?plan=pro`;
const LOOKS = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 320 },
] as const;

describe.skipIf(!chromium)('the checkout page', () => {
  let world: CheckoutWorld;
  beforeAll(async () => {
    world = await startCheckoutWorld(chromium ?? '');
  });
  afterAll(() => world.close());

  const statusOf = async (sessionId: string) => {
    const session = await world.db.checkoutSession.findUniqueOrThrow({
      where: { id: sessionId },
      include: { subscription: true },
    });
    return { session: session.status, subscription: session.subscription?.status };
  };
  const heading = ({ page }: Customer, name: string) => page.getByRole('heading', { name, exact: true });
  const button = ({ page }: Customer, name: string) => page.getByRole('button', { name, exact: true });
  const problem = ({ page }: Customer) => page.getByRole('alert');

  /** Records the first payment of a subscription as it is after its collection. */
  async function recordFirstPayment(id: string) {
    const { plan, startedAt, chainCreatedAt } = await world.db.subscription.findUniqueOrThrow({
      where: { id },
      include: { plan: true },
    });
    const paidAt = world.ctx.clock.now();
    const next = new Date(startedAt.getTime() + plan.intervalSeconds * 1_000);
    await world.db.payment.create({
      data: {
        ...world.merchant.scope,
        subscriptionId: id,
        periodStart: chainCreatedAt,
        dueAt: startedAt,
        amount: plan.amount,
        status: 'SUCCEEDED',
        number: 1,
        signature: `paid-${id}`,
        paidAt,
      },
    });
    await world.db.subscription.update({
      where: { id },
      data: { paymentCount: 1, nextPaymentAt: next, nextAttemptAt: next },
    });
    return { paidAt, next };
  }

  it('takes a customer with a wallet to a subscription and back to the merchant', async () => {
    const sessionId = await world.openSession(await world.newPlan(), { successUrl: SUCCESS });
    const wallet = await world.newWallet();
    const customer = await world.newCustomer(wallet);
    const { page, pageProblems } = customer;
    await page.goto(world.urlOf(sessionId));
    expect(await page.getByText('5.00 USDC').first().isVisible()).toBe(true);
    expect(await page.getByText('is collected when you have approved').isVisible()).toBe(true);
    await button(customer, WALLET).click();
    await heading(customer, 'Your wallet').waitFor();
    expect(await page.getByText('100.00 USDC', { exact: true }).isVisible()).toBe(true);
    expect(await page.getByText('0.000005 SOL').isVisible()).toBe(true);
    await button(customer, 'Approve subscription').click();
    await heading(customer, 'You are subscribed').waitFor();
    expect(await statusOf(sessionId)).toEqual({ session: 'COMPLETED', subscription: 'ACTIVE' });
    await page.waitForURL(`${SUCCESS}&session_id=${sessionId}`);
    expect(pageProblems).toEqual([]);
  });

  it('shows what was paid, the receipt and the ways on, also when it is opened again', async () => {
    const plan = await world.newPlan();
    const sessionId = await world.openSession(plan, { cancelUrl: `${SHOP}/plans?cart=7` });
    const customer = await world.newCustomer(await world.newWallet());
    const { page, pageProblems } = customer;
    const follow = (name: string) => page.getByRole('link', { name, exact: true }).click();
    await page.goto(world.urlOf(sessionId));
    await button(customer, WALLET).click();
    await button(customer, 'Approve subscription').click();
    await page.getByText('The payment of 5.00 USDC is being collected.').waitFor();
    expect(await page.getByText('Time left').isVisible()).toBe(false);
    expect(await page.getByRole('link', { name: 'View the receipt' }).count()).toBe(0);
    expect(await axeFindings(page, LOOKS)).toEqual([]);

    const { subscriptionId } = await world.db.checkoutSession.findUniqueOrThrow({ where: { id: sessionId } });
    await page.getByRole('link', { name: 'Manage the subscription' }).focus();
    const paid = await recordFirstPayment(subscriptionId ?? '');
    // The page updates itself, and the focus stays where it is.
    await page.getByText(`5.00 USDC on ${dateText(paid.paidAt)}`).waitFor();
    await page.getByText(`5.00 USDC on ${dateText(paid.next)}`).waitFor();
    await page.getByRole('link', { name: 'View the receipt' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Manage the subscription');
    expect(await axeFindings(page, LOOKS)).toEqual([]);
    await takeShots(page, 'completed');
    await follow('Back to Acme');
    await page.waitForURL(`${SHOP}/plans?cart=7`);
    await page.goto(world.urlOf(sessionId));
    await heading(customer, 'You are subscribed').waitFor();
    expect(await page.locator('script').count()).toBe(0);
    await follow('View the receipt');
    await heading(customer, 'The payment was received').waitFor();
    // A receipt is passed on, so its link shows nothing of the visit.
    await follow('Back to Acme');
    await page.waitForURL(`${SHOP}/`);
    await page.goto(world.urlOf(sessionId));
    await follow('Manage the subscription');
    await page.waitForURL(`**/portal/${subscriptionId}`);
    await heading(customer, 'See your subscriptions').waitFor();
    expect(pageProblems).toEqual([]);
  });

  it('has its merchant’s colour on all its pages, and can be read', async () => {
    const plan = await world.newPlan();
    const where = { id: world.merchant.merchant.id };
    onTestFinished(async () => void (await world.db.merchant.update({ where, data: { brandColor: null } })));
    const colourOf = (element: Element) => getComputedStyle(element).backgroundColor;
    for (const [brandColor, shown] of [
      ['#ffee00', 'rgb(255, 238, 0)'],
      ['#101820', 'rgb(16, 24, 32)'],
    ] as const) {
      await world.db.merchant.update({ where, data: { brandColor } });
      const customer = await world.newCustomer(await world.newWallet());
      const { page, pageProblems } = customer;
      const link = await createLink(world.ctx, world.merchant.scope, { planId: plan.planId });
      await page.goto(`${world.api.url}/pay/${link.id}`);
      expect(await button(customer, 'Continue').evaluate(colourOf)).toBe(shown);
      await page.getByLabel('Your email').fill('ada@example.com');
      await button(customer, 'Continue').click();
      await button(customer, WALLET).click();
      expect(await button(customer, 'Approve subscription').evaluate(colourOf)).toBe(shown);
      expect(await axeFindings(page, LOOKS)).toEqual([]);
      await takeShots(page, `brand-${brandColor.slice(1)}`);
      expect(pageProblems).toEqual([]);
    }
  });

  it('says that a subscription has ended, and shows nothing of other customers', async () => {
    const plan = await world.newPlan();
    const sessionId = await world.openSession(plan);
    const customer = await world.newCustomer();
    const { page } = customer;
    const body = await world.approve(sessionId, plan, await world.newWallet());
    await world.request('POST', `/api/checkout/${sessionId}/complete`, { body });
    const { subscriptionId } = await world.db.checkoutSession.findUniqueOrThrow({ where: { id: sessionId } });
    const where = { id: subscriptionId ?? '' };
    const { paidAt } = await recordFirstPayment(where.id);
    await world.db.subscription.update({
      where,
      data: { status: 'CANCELLED', accessUntil: new Date('2027-03-05T12:00:00Z'), nextAttemptAt: null },
    });
    await page.goto(world.urlOf(sessionId));
    await heading(customer, 'This subscription is cancelled').waitFor();
    await page.getByText('5 March 2027').waitFor();
    await page.getByText(`5.00 USDC on ${dateText(paidAt)}`).waitFor();
    // The URL stays in logs, so it shows the result for a day only.
    const session = { id: sessionId };
    const { completedAt } = await world.db.checkoutSession.findUniqueOrThrow({ where: session });
    const dayBefore = new Date(Number(completedAt) - 25 * 3_600_000);
    await world.db.checkoutSession.update({ where: session, data: { completedAt: dayBefore } });
    await page.reload();
    await heading(customer, 'This checkout is complete').waitFor();
    expect(await page.getByRole('link', { name: 'View the receipt' }).count()).toBe(0);
    await world.db.checkoutSession.update({ where: session, data: { completedAt } });
    await page.reload();
    await heading(customer, 'This subscription is cancelled').waitFor();
    const { merchantId, environment, walletAddress } = await world.db.subscription.findUniqueOrThrow({
      where,
    });
    await world.db.subscription.update({
      where,
      data: {
        customer: {
          create: { merchantId, environment, walletAddress, email: 'bob@example.com', createdAt: paidAt },
        },
      },
    });
    await page.reload();
    await heading(customer, 'This checkout is complete').waitFor();
    expect(await page.getByText('5 March 2027').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'View the receipt' }).count()).toBe(0);
  });

  it('lets a customer decline twice and then approve', async () => {
    const sessionId = await world.openSession(await world.newPlan());
    const customer = await world.newCustomer(await world.newWallet());
    const { page, owner } = customer;
    const approve = owner.approve;
    const decline = async () => {
      throw new Error('User rejected the request.');
    };
    owner.connect = decline;
    await page.goto(world.urlOf(sessionId));
    await button(customer, WALLET).click();
    await problem(customer).waitFor();
    expect(await problem(customer).textContent()).toBe(`${WALLET} was not connected.`);
    owner.connect = async () => undefined;
    owner.approve = decline;
    await button(customer, WALLET).click();
    await button(customer, 'Approve subscription').click();
    await problem(customer).waitFor();
    expect(await problem(customer).textContent()).toBe(
      `You did not approve it in ${WALLET} (User rejected the request). You were not charged.`,
    );
    expect(await statusOf(sessionId)).toEqual({ session: 'OPEN', subscription: undefined });
    owner.approve = approve;
    await button(customer, 'Approve subscription').click();
    await heading(customer, 'You are subscribed').waitFor();
    expect(await problem(customer).isVisible()).toBe(false);
  });

  it('names missing SOL and USDC at once, and continues when they have arrived', async () => {
    const sessionId = await world.openSession(await world.newPlan());
    const wallet = await fundedWallet(world.network, 1_000_000n);
    await world.setTokens(wallet.address, 1_000_000n);
    const customer = await world.newCustomer(wallet);
    const { page } = customer;
    const errors = errorsLoggedBy(page);
    await page.goto(world.urlOf(sessionId));
    await button(customer, WALLET).click();
    await problem(customer).waitFor();
    expect(await problem(customer).textContent()).toMatch(
      /^The wallet has 0\.001 SOL\. Subscribing needs at least 0\.00\d+ SOL for .+: 0\.00\d+ SOL is missing\. It also has 1\.00 USDC, and the first payment is 5\.00 USDC: 4\.00 USDC is missing\.$/,
    );
    await page.getByText(/^Send 0\.00\d+ SOL and 4\.00 USDC to this wallet\./).waitFor();
    for (const name of [/QR code to send 0\.00\d+ SOL to/, 'QR code to send 4.00 USDC to this wallet']) {
      const code = page.getByRole('img', { name });
      await expect
        .poll(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0);
    }
    expect(await axeFindings(page, LOOKS)).toEqual([]);
    expect(await button(customer, 'Approve subscription').isVisible()).toBe(false);
    await page.waitForResponse('**/wallet');
    await world.cheat('surfnet_setAccount', [wallet.address, { lamports: 1_000_000_000 }]);
    await page.getByText('Send 4.00 USDC to this wallet.').waitFor();
    await world.setTokens(wallet.address, 100_000_000n);
    await button(customer, 'Approve subscription').click();
    await heading(customer, 'You are subscribed').waitFor();
    expect(errors).toEqual([]);
  });

  it('asks for funds first if the first payment would fail, and advises three payments', async () => {
    const sessionId = await world.openSession(await world.newPlan());
    const wallet = await world.newWallet(4_999_999n);
    const customer = await world.newCustomer(wallet);
    const { page } = customer;
    await page.goto(world.urlOf(sessionId));
    await button(customer, WALLET).click();
    await problem(customer).waitFor();
    expect(await problem(customer).textContent()).toBe(
      'The wallet has 4.999999 USDC, and the first payment is 5.00 USDC: 0.000001 USDC is missing.',
    );
    const code = page.getByRole('img', { name: 'QR code to send 0.000001 USDC to this wallet' });
    expect(await code.getAttribute('src')).toMatch(/\/top-up\.svg\?wallet=\w+&amount=1$/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(customer, 'Copy the address').click();
    await button(customer, 'Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(wallet.address);
    expect(await page.getByText(wallet.address, { exact: true }).isVisible()).toBe(true);
    expect(await code.isVisible()).toBe(true);
    // The page continues without a click.
    await world.setTokens(wallet.address, 5_000_000n);
    await button(customer, 'Approve subscription').waitFor();
    expect(await code.isVisible()).toBe(false);
    expect(await page.getByText('15.00 USDC is recommended: it covers three payments').isVisible()).toBe(
      true,
    );
  });

  it('lets a wallet without funds start a trial', async () => {
    const plan = await world.newPlan({ trialPeriodSeconds: 7 * DAY });
    const customer = await world.newCustomer(await world.newWallet(0n));
    await customer.page.goto(world.urlOf(await world.openSession(plan)));
    await customer.page.getByText('The first 7 days free').waitFor();
    await button(customer, WALLET).click();
    await button(customer, 'Approve subscription').click();
    await heading(customer, 'You are subscribed').waitFor();
  });

  it('explains to a wallet without a trial left that the first payment is due at once', async () => {
    const plan = await world.newPlan({ trialPeriodSeconds: 7 * DAY });
    const wallet = await world.newWallet(0n);
    // The wallet has an earlier subscription, which has ended in dues and on chain.
    const { id } = await world.subscribe(world.merchant, plan, await world.newWallet());
    await world.db.subscription.update({
      where: { id },
      data: {
        walletAddress: wallet.address,
        status: 'CANCELLED',
        cancelledAt: new Date(),
        closedAt: new Date(),
        nextAttemptAt: null,
      },
    });
    const customer = await world.newCustomer(wallet);
    await customer.page.goto(world.urlOf(await world.openSession(plan)));
    await customer.page.getByText('The first 7 days free').waitFor();
    await button(customer, WALLET).click();
    await problem(customer).waitFor();
    expect(await problem(customer).textContent()).toContain('the first payment is 5.00 USDC');
    await customer.page.getByText('This wallet has already had its free trial').waitFor();
    expect(await customer.page.getByText('The first 7 days free').isVisible()).toBe(false);
  });

  it('asks a wallet for nothing now if it has paid the running period', async () => {
    const plan = await world.newPlan();
    const wallet = await world.newWallet(0n);
    const { id } = await world.subscribe(world.merchant, plan, wallet);
    await recordFirstPayment(id);
    await cancelSubscription(world.ctx, world.merchant.scope, { subscription: id, when: 'NOW' });
    const customer = await world.newCustomer(wallet);
    const { page } = customer;
    await page.goto(world.urlOf(await world.openSession(plan)));
    await button(customer, WALLET).click();
    await button(customer, 'Approve subscription').waitFor();
    expect(await problem(customer).isVisible()).toBe(false);
    expect(await page.locator('[data-part="due-now"]').textContent()).toBe('nothing');
    await page.getByText('Nothing is collected now. The next payment is 5.00 USDC on').waitFor();
    await button(customer, 'Approve subscription').click();
    await heading(customer, 'You are subscribed').waitFor();
  });

  it('refuses a wallet that is subscribed already, and offers to use another one', async () => {
    const plan = await world.newPlan();
    const wallet = await world.newWallet();
    await world.subscribe(world.merchant, plan, wallet);
    const customer = await world.newCustomer(wallet);
    await customer.page.goto(world.urlOf(await world.openSession(plan)));
    await button(customer, WALLET).click();
    await problem(customer).waitFor();
    expect(await problem(customer).textContent()).toBe('The wallet is already subscribed to this plan.');
    await button(customer, 'Use another wallet').click();
    await heading(customer, 'Subscribe with your wallet').waitFor();
    expect(await problem(customer).isVisible()).toBe(false);
  });

  it('continues after a reload between approval and completion', async () => {
    const sessionId = await world.openSession(await world.newPlan(), { successUrl: SUCCESS });
    const customer = await world.newCustomer(await world.newWallet());
    const { page } = customer;
    await page.route('**/approval', (route) => route.abort());
    await page.goto(world.urlOf(sessionId));
    await button(customer, WALLET).click();
    await button(customer, 'Approve subscription').click();
    await heading(customer, 'Confirming').waitFor();
    await page.waitForRequest('**/approval');
    expect(await statusOf(sessionId)).toEqual({ session: 'OPEN', subscription: undefined });
    await page.unroute('**/approval');
    await page.reload();
    await heading(customer, 'You are subscribed').waitFor();
    await page.waitForURL(`${SUCCESS}&session_id=${sessionId}`);
    expect(await statusOf(sessionId)).toEqual({ session: 'COMPLETED', subscription: 'ACTIVE' });
  });

  it('retries if the service fails while the approval is in flight', async () => {
    const sessionId = await world.openSession(await world.newPlan());
    const customer = await world.newCustomer(await world.newWallet());
    const { page } = customer;
    const json = { error: { code: 'internal_error', message: 'Something went wrong on our side.' } };
    await page.route('**/approval', (route) => route.fulfill({ status: 500, json }), { times: 1 });
    await page.goto(world.urlOf(sessionId));
    await button(customer, WALLET).click();
    await button(customer, 'Approve subscription').click();
    await heading(customer, 'You are subscribed').waitFor();
    expect(await statusOf(sessionId)).toEqual({ session: 'COMPLETED', subscription: 'ACTIVE' });
  });

  it('waits for an approval that was signed in time and sent after the end', async () => {
    const sessionId = await world.openSession(await world.newPlan());
    const wallet = await world.newWallet();
    const customer = await world.newCustomer(wallet);
    const { page, owner } = customer;
    const errors = errorsLoggedBy(page);
    await world.travel(30 * 60 - 10);
    let sendApproval = async () => undefined as unknown;
    const isExpired = page.waitForResponse(
      async (answer) =>
        answer.url().endsWith(sessionId) && (await answer.json().catch(() => null))?.status === 'expired',
    );
    owner.approve = async (transaction) => {
      const { wire, signature } = await signAsWallet(wallet, transaction);
      sendApproval = () => sendWire(world.chain, wire);
      await world.travel(11);
      await isExpired;
      return [...getBase58Encoder().encode(signature)];
    };
    await page.goto(world.urlOf(sessionId));
    await button(customer, WALLET).click();
    await button(customer, 'Approve subscription').click();
    const reported = await page.waitForResponse('**/approval');
    expect(await reported.json()).toEqual({ status: 'confirming', redirectUrl: null });
    await sendApproval();
    await heading(customer, 'You are subscribed').waitFor();
    expect(errors).toEqual([]);
    expect(await statusOf(sessionId)).toEqual({ session: 'COMPLETED', subscription: 'ACTIVE' });
  });

  it('completes an approval of before the end, after a reload past the end', async () => {
    const sessionId = await world.openSession(await world.newPlan());
    const customer = await world.newCustomer(await world.newWallet());
    const { page, pageProblems } = customer;
    await page.route('**/approval', (route) => route.abort());
    await page.goto(world.urlOf(sessionId));
    await button(customer, WALLET).click();
    await button(customer, 'Approve subscription').click();
    await heading(customer, 'Confirming').waitFor();
    await page.waitForRequest('**/approval');
    await world.travel(31 * 60);
    await page.reload();
    await heading(customer, 'Time is up').waitFor();
    await page.unroute('**/approval');
    await heading(customer, 'You are subscribed').waitFor();
    expect(await statusOf(sessionId)).toEqual({ session: 'COMPLETED', subscription: 'ACTIVE' });
    expect(pageProblems).toEqual([]);
  });

  it('completes an approved checkout without storage in the browser', async () => {
    const sessionId = await world.openSession(await world.newPlan());
    const customer = await world.newCustomer(await world.newWallet());
    const { page, pageProblems } = customer;
    await page.addInitScript(() => {
      Object.defineProperty(globalThis, 'sessionStorage', {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
    });
    await page.goto(world.urlOf(sessionId));
    await button(customer, WALLET).click();
    await button(customer, 'Approve subscription').click();
    await heading(customer, 'You are subscribed').waitFor();
    expect(await statusOf(sessionId)).toEqual({ session: 'COMPLETED', subscription: 'ACTIVE' });
    expect(pageProblems).toEqual([]);
  });

  it('retries between two approvals if the network fails, and explains a rate limit', async () => {
    const sessionId = await world.openSession(await world.newPlan());
    const customer = await world.newCustomer(await world.newWallet());
    const { page } = customer;
    const json = {
      error: { code: 'rate_limit_exceeded', message: 'Too many requests; try again at X-RateLimit-Reset.' },
    };
    await page.route('**/wallet', (route) => route.fulfill({ status: 429, json }), { times: 1 });
    await page.goto(world.urlOf(sessionId));
    await button(customer, WALLET).click();
    await problem(customer).waitFor();
    expect(await problem(customer).textContent()).toBe(
      'Too many requests from your network. Wait a minute, then try again.',
    );
    await button(customer, 'Check again').click();
    await button(customer, 'Approve subscription').waitFor();
    // When a wallet signs in two steps, the second transaction is created after the first landed.
    // Here the first answer has no transactions.
    const answers = ['more', 'down', 'there'];
    await page.route('**/transaction', async (route) => {
      const answer = answers.shift();
      if (answer === 'down') return route.abort();
      if (answer !== 'more') return route.continue();
      const fetched = await route.fetch();
      return route.fulfill({
        response: fetched,
        json: { ...(await fetched.json()), more: true, transactions: [] },
      });
    });
    await button(customer, 'Approve subscription').click();
    await heading(customer, 'You are subscribed').waitFor();
    expect(answers).toEqual([]);
  });

  it('stops polling an unknown checkout, and polls less often without a response', async () => {
    const { page } = await world.newCustomer();
    const sessionId = await world.openSession(await world.newPlan());
    const requestedAt: number[] = [];
    await page.clock.install();
    await page.exposeFunction('recordRequest', (at: number) => void requestedAt.push(at));
    await page.addInitScript(() => {
      const { fetch, recordRequest } = globalThis as unknown as typeof globalThis & {
        recordRequest(at: number): void;
      };
      globalThis.fetch = (...request) => {
        recordRequest(Date.now());
        return fetch(...request);
      };
    });
    await page.route(`**/api/checkout/${sessionId}`, (route) =>
      requestedAt.length < 3
        ? route.fulfill({ status: 502, body: 'Bad Gateway' })
        : route.fulfill({ status: 404, json: { error: { code: 'not_found', message: 'No such session.' } } }),
    );
    await page.goto(world.urlOf(sessionId));
    while (requestedAt.length < 3) await page.clock.runFor(1000);
    const [first = 0, second = 0, third = 0] = requestedAt;
    expect(second - first).toBeGreaterThanOrEqual(6000);
    expect(third - second).toBeGreaterThanOrEqual(12_000);
    for (let minute = 0; minute < 10; minute += 1) await page.clock.runFor(60_000);
    expect(requestedAt).toHaveLength(3);
  });

  it('stays completed if another wallet completes it while this one is asked', async () => {
    const plan = await world.newPlan();
    const sessionId = await world.openSession(plan);
    const customer = await world.newCustomer(await world.newWallet());
    const { page, owner } = customer;
    const rejection = Promise.withResolvers<void>();
    owner.approve = async () => {
      await rejection.promise;
      throw new Error('User rejected the request.');
    };
    await page.goto(world.urlOf(sessionId));
    await button(customer, WALLET).click();
    await button(customer, 'Approve subscription').click();
    await heading(customer, `Approve in ${WALLET}`).waitFor();
    const body = await world.approve(sessionId, plan, await world.newWallet());
    await world.request('POST', `/api/checkout/${sessionId}/complete`, { body });
    await heading(customer, 'You are subscribed').waitFor();
    rejection.resolve();
    const text = page.locator('[data-part="problem"]').filter({ hasText: 'User rejected' });
    await text.waitFor({ state: 'attached' });
    expect(await text.isVisible()).toBe(false);
    expect(await heading(customer, 'You are subscribed').isVisible()).toBe(true);
  });

  it('offers the deposit back if another wallet completes the checkout as well', async () => {
    const plan = await world.newPlan();
    const sessionId = await world.openSession(plan, { successUrl: SUCCESS });
    const customer = await world.newCustomer(await world.newWallet());
    const { page, owner } = customer;
    const { approve } = owner;
    owner.approve = async (transaction) => {
      const body = await world.approve(sessionId, plan, await world.newWallet());
      await world.request('POST', `/api/checkout/${sessionId}/complete`, { body });
      return approve(transaction);
    };
    await page.goto(world.urlOf(sessionId));
    await button(customer, WALLET).click();
    await button(customer, 'Approve subscription').click();
    await heading(customer, 'Another wallet has subscribed').waitFor();
    const link = page.getByRole('link', { name: 'Get your deposit back' });
    expect(await link.getAttribute('href')).toBe('/portal');
    expect(await axeFindings(page, LOOKS)).toEqual([]);
  });

  it('continues when the checkout is completed elsewhere', async () => {
    const plan = await world.newPlan();
    const sessionId = await world.openSession(plan, { successUrl: SUCCESS });
    const { page } = await world.newCustomer();
    await page.goto(world.urlOf(sessionId));
    const body = await world.approve(sessionId, plan, await world.newWallet());
    await world.request('POST', `/api/checkout/${sessionId}/complete`, { body });
    await page.waitForURL(`${SUCCESS}&session_id=${sessionId}`);
  });

  it('shows that a phone has requested the transaction, while it signs', async () => {
    const plan = await world.newPlan();
    const sessionId = await world.openSession(plan);
    const customer = await world.newCustomer();
    await customer.page.goto(world.urlOf(sessionId));
    const wallet = await world.newWallet();
    await world.request('POST', `/api/checkout/${sessionId}/solana-pay`, {
      body: { account: wallet.address },
    });
    await customer.page.getByText('A wallet has opened this checkout.').waitFor();
    const approved = await world.approve(sessionId, plan, wallet);
    await world.mirror(approved.subscriptionPda);
    await heading(customer, 'You are subscribed').waitFor();
  });

  it('sells from a plain page of a merchant with a strict policy and no backend', async () => {
    const plan = await world.newPlan();
    const link = await createLink(world.ctx, world.merchant.scope, {
      planId: plan.planId,
      successUrl: SUCCESS,
    });
    const wallet = await world.newWallet();
    const customer = await world.newCustomer(wallet);
    const { page, pageProblems } = customer;
    const apiUrl = world.api.url;
    await using shop = await servePage(
      { 'content-security-policy': `default-src 'none'; script-src ${apiUrl}` },
      `<!doctype html><script src="${apiUrl}/embed.js" async></script>
        <a class="dues-button" href="${apiUrl}/pay/${link.id}" data-mode="popup">Subscribe</a>`,
    );
    await page.goto(shop.url);
    const anchor = page.getByRole('link', { name: 'Subscribe' });
    await page.waitForFunction(() => document.adoptedStyleSheets.length > 0);
    expect(await anchor.evaluate((element) => getComputedStyle(element).display)).toBe('inline-block');
    const [popup] = await Promise.all([page.waitForEvent('popup'), anchor.click()]);
    await popup.getByLabel('Your email').fill('ada@example.com');
    await popup.getByRole('button', { name: 'Continue' }).click();
    await popup.getByRole('button', { name: WALLET, exact: true }).click();
    await popup.getByRole('button', { name: 'Approve subscription' }).click();
    await popup.waitForURL(`${SUCCESS}&session_id=*`);
    expect(pageProblems.filter((problem) => !problem.startsWith(shop.url))).toEqual([]);
    expect(await world.db.subscription.count({ where: { planId: plan.id, status: 'ACTIVE' } })).toBe(1);
  });

  it('asks for the email on the page of a link, and says when the link is off', async () => {
    const plan = await world.newPlan();
    const { id } = await createLink(world.ctx, world.merchant.scope, { planId: plan.planId });
    const customer = await world.newCustomer();
    const { page, pageProblems } = customer;
    const url = `${world.api.url}/pay/${id}`;
    await page.goto(url);
    const email = page.getByLabel('Your email');
    await button(customer, 'Continue').click();
    // The browser reports the missing email.
    expect(await email.evaluate((field: HTMLInputElement) => field.validity.valueMissing)).toBe(true);
    await email.fill('ada@example');
    await email.press('Enter');
    await problem(customer).waitFor();
    expect(await problem(customer).textContent()).toBe('Enter an email address, like ada@example.com.');
    expect(await email.inputValue()).toBe('ada@example');
    expect(await email.evaluate((field) => document.activeElement === field)).toBe(true);
    expect(await axeFindings(page, LOOKS)).toEqual([]);
    const sizes = await page.evaluate(async (path) => {
      const codes = ['svg', 'png'].map((ending) =>
        Object.assign(new Image(), { src: `${path}/qr.${ending}` }),
      );
      await Promise.all(codes.map((code) => code.decode()));
      return codes.map(
        ({ naturalWidth, naturalHeight }) => naturalWidth > 0 && naturalWidth === naturalHeight,
      );
    }, `/pay/${id}`);
    expect(sizes).toEqual([true, true]);
    await email.fill('ada@example.com');
    await email.press('Enter');
    await heading(customer, 'Subscribe with your wallet').waitFor();
    await page.goBack();
    await updateLink(world.ctx, world.merchant.scope, id, { active: false });
    // The link is also off for customers who still have the page open.
    await email.fill('ada@example.com');
    await email.press('Enter');
    await heading(customer, 'This offer is no longer available').waitFor();
    expect(await axeFindings(page, LOOKS)).toEqual([]);
    await updateLink(world.ctx, world.merchant.scope, id, { active: true });
    await page.goto(`${url}?email=bob@example.com`);
    expect(await email.inputValue()).toBe('bob@example.com');
    expect(pageProblems).toEqual([]);
  });

  it('shows that a checkout has expired, even while the page is open', async () => {
    const sessionId = await world.openSession(await world.newPlan());
    const customer = await world.newCustomer(await world.newWallet());
    await customer.page.goto(world.urlOf(sessionId));
    await button(customer, WALLET).waitFor();
    await world.travel(DAY);
    await heading(customer, 'This checkout has expired').waitFor();
    expect(await customer.page.getByRole('button').count()).toBe(0);
  });

  it('explains an unknown checkout', async () => {
    const customer = await world.newCustomer();
    const answer = await customer.page.goto(world.urlOf('cs_nothing'));
    expect(answer?.status()).toBe(404);
    await heading(customer, 'This checkout does not exist').waitFor();
  });

  it('offers the app only where one is configured, and one action on a phone', async () => {
    const sessionId = await world.openSession(await world.newPlan());
    const customer = await world.newCustomer();
    await customer.page.goto(world.urlOf(sessionId));
    await customer.page.getByText('This browser has no Solana wallet.').waitFor();
    // The code for Solana Pay is shown without a click.
    await customer.page.getByRole('img', { name: 'QR code for a wallet with Solana Pay' }).waitFor();
    expect(await customer.page.getByText('Use the app on your phone').count()).toBe(0);
    const phone = { javaScriptEnabled: false, viewport: { width: 390, height: 844 }, hasTouch: true };
    const { page } = await world.newCustomer(undefined, { ...phone, isMobile: true });
    await page.goto(world.urlOf(sessionId));
    expect(await page.locator(BUTTONS).allTextContents()).toEqual(['Pay with a wallet app']);
    await page.getByText('Other ways to pay').click();
    await page.getByRole('link', { name: 'Phantom' }).waitFor();
    expect(await page.getByText('Continue in the app').count()).toBe(0);
    expect(await page.getByText(/until \d\d:\d\d UTC/).isVisible()).toBe(true);

    const { config } = world.ctx;
    Object.assign(config, { customerApp: { scheme: 'shop', appleIds: [] } });
    onTestFinished(() => void Object.assign(config, { customerApp: undefined }));
    await page.reload();
    await page.getByText('Other ways to pay').click();
    const app = page.getByRole('link', { name: 'Continue in the app' });
    expect(await app.getAttribute('href')).toBe(`shop://subscribe?sessionId=${sessionId}`);
    await customer.page.reload();
    await customer.page.getByText('Use the app on your phone').click();
    await customer.page.getByRole('img', { name: 'QR code that opens this checkout in the app' }).waitFor();
  });

  it.each(['light', 'dark'] as const)('fits on a phone and is readable there, %s', async (colorScheme) => {
    const plan = await world.newPlan({ name: 'Unabbreviated'.repeat(8), description: 'x'.repeat(500) });
    const sessionId = await world.openSession(plan, { customerEmail: `${'a'.repeat(60)}@example.com` });
    const viewport = { width: 320, height: 640 };
    const customer = await world.newCustomer(await world.newWallet(), { viewport, colorScheme });
    const { page } = customer;
    await page.goto(world.urlOf(sessionId));
    const check = async () => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
      for (const element of await page.locator(BUTTONS).all()) {
        expect((await element.boundingBox())?.height).toBeGreaterThanOrEqual(38);
      }
    };
    await check();
    await button(customer, WALLET).click();
    await button(customer, 'Approve subscription').waitFor();
    await check();
    // The values are beside their labels, and are not wrapped after each letter.
    for (const name of ['balance', 'due-now', 'next-payment', 'network-fee', 'deposits']) {
      const lines = await page.locator(`[data-part="${name}"]`).evaluate((value) => {
        const text = document.createRange();
        text.selectNodeContents(value);
        return new Set(Array.from(text.getClientRects(), ({ top }) => top)).size;
      });
      expect({ name, isShort: lines <= 2 }).toEqual({ name, isShort: true });
    }
  });

  it('works by keyboard and announces its steps to screen readers', async () => {
    const sessionId = await world.openSession(await world.newPlan());
    const customer = await world.newCustomer(await world.newWallet());
    const { page, owner } = customer;
    const approve = owner.approve;
    const requested = Promise.withResolvers<void>();
    const approval = Promise.withResolvers<void>();
    owner.approve = async (transaction) => {
      requested.resolve();
      await approval.promise;
      return approve(transaction);
    };
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.goto(world.urlOf(sessionId));
    await page.keyboard.press('Tab');
    expect(await focused()).toBe(WALLET);
    await page.keyboard.press('Enter');
    await button(customer, 'Approve subscription').waitFor();
    expect(await focused()).toBe('Your wallet');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await requested.promise;
    expect(await page.getByRole('status').filter({ visible: true }).textContent()).toContain(
      `Approve in ${WALLET}`,
    );
    approval.resolve();
    await heading(customer, 'You are subscribed').waitFor();
  });

  it('says that more than the price may be collected if the limit is above it', async () => {
    const customer = await world.newCustomer(await world.newWallet());
    const { page } = customer;
    const most = page.getByText(
      'Acme may collect more than the price without asking again: at most 8.00 USDC every day, and never more than that.',
    );
    await page.goto(world.urlOf(await world.openSession(await world.newPlan({ maxAmount: 8_000_000n }))));
    await most.waitFor();
    expect(await page.getByText('5.00 USDC every day').isVisible()).toBe(true);
    await takeShots(page, 'limit');
    await page.goto(world.urlOf(await world.openSession(await world.newPlan())));
    await page.getByText('Acme may collect at most 5.00 USDC every day').waitFor();
    expect(await most.count()).toBe(0);
  });

  it.each([
    { decimals: 9, amount: 1_250_000_000n, shown: '1.25 tokens', recommended: '3.75 tokens' },
    { decimals: 0, amount: 3n, shown: '3 tokens', recommended: '9 tokens' },
  ])(
    'shows amounts of a token with $decimals decimals as its wallet does',
    async ({ decimals, ...expected }) => {
      const { amount, shown, recommended } = expected;
      const mint = await world.newMint({ decimals });
      const plan = await world.newPlan({ amount, mint });
      const wallet = await world.newWallet();
      await world.setTokens(wallet.address, BigInt(amount), mint);
      const customer = await world.newCustomer(wallet);
      const { page } = customer;
      await page.goto(world.urlOf(await world.openSession(plan)));
      expect(await page.getByText(`may collect at most ${shown} every day`).isVisible()).toBe(true);
      expect(await page.getByText(mint).isVisible()).toBe(true);
      await button(customer, WALLET).click();
      await page.getByText(`${recommended} is recommended`).waitFor();
      await button(customer, 'Approve subscription').click();
      await heading(customer, 'You are subscribed').waitFor();
    },
  );
});

/** Takes a picture of the page in each look, if DASHBOARD_SCREENSHOTS names a folder. */
async function takeShots(page: Page, name: string): Promise<void> {
  const folder = process.env.DASHBOARD_SCREENSHOTS;
  if (!folder) return;
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${folder}/checkout-${name}-${colorScheme}-${width}.png`, fullPage: true });
  }
}

/** Collects the errors in the browser's console from now on, for example of requests that fail. */
function errorsLoggedBy(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}

/** Serves a page of another site, at its own origin. */
async function servePage(headers: Record<string, string>, body: string) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
