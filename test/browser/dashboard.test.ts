/** The merchant's dashboard in a real browser: sign-in, overview, plans and their frame. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPlan } from '../../src/domain/catalog/plan/create-plan.ts';
import { triggerEvent } from '../../src/domain/messages/webhook/trigger-event.ts';
import { findChromium } from '../../tools/chromium.ts';
import { DAY, START } from '../domain/world.ts';
import { SOON } from '../support/soon.ts';
import { type DashboardWorld, startDashboardWorld, takeScreenshots } from './dashboard-world.ts';
import { MEMBER_WALLET } from './member-wallet.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED: no chromium: the dashboard is not tested');

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

/** Writes two months of a growing plan, as the triggers of the database count them. */
async function seedDays({ db }: DashboardWorld, planId: string): Promise<void> {
  const days = Array.from({ length: 60 }, (_, index) => ({
    planId,
    day: new Date(START.getTime() - (60 - index) * DAY * 1_000),
    active: 2 + (index % 3) - (index % 5 === 0 ? 2 : 0),
    started: 3 + (index % 4),
    resumed: index % 6 === 0 ? 1 : 0,
    cancelled: index % 5 === 0 ? 2 : 0,
    expired: index % 9 === 0 ? 1 : 0,
    recovered: index % 2,
    failed: (index % 4) + (index % 7 === 0 ? 1 : 0) + (index > 30 ? 1 : 0),
    insufficientFunds: (index % 4) + (index > 30 ? 1 : 0),
    approvalRevoked: index % 7 === 0 ? 1 : 0,
    paid: 2 + index,
    collected: (2 + index) * 50_000_000,
  }));
  await db.planDay.createMany({ data: days });
  await db.mrrDay.createMany({
    data: days.map(({ day, started, resumed, cancelled, expired, recovered }) => ({
      planId,
      day,
      new: started * 50_000_000,
      reactivation: resumed * 50_000_000,
      expansion: recovered * 30_000_000,
      contraction: expired * 20_000_000,
      churn: cancelled * 50_000_000,
    })),
  });
}

/** Runs in the page: returns the paths of the events in the feed, newest first. */
const READ_EVENT_PATHS = `[...document.querySelectorAll('ol a[href*="/events/"]')].map((link) => link.pathname)`;

describe.skipIf(!chromium)('the dashboard', () => {
  let world: DashboardWorld;
  let merchant: Awaited<ReturnType<DashboardWorld['newMerchant']>>;
  beforeAll(async () => {
    world = await startDashboardWorld(chromium ?? '');
    merchant = await world.newMerchant();
    const pro = await world.publishPlan(merchant, { planId: 'pro', name: 'Pro' });
    await world.publishPlan(merchant, { planId: 'trial', name: 'Starter', trialPeriodSeconds: 7 * DAY });
    await seedDays(world, pro.id);
    for (let count = 0; count < 3; count += 1) await world.subscribe(merchant, pro, await world.newWallet());
  });
  afterAll(() => world?.close());

  it('asks a visitor to sign in, and returns to the requested page', async () => {
    const { page, pageProblems } = await world.newMember(merchant.wallet);
    await page.goto(world.urlOf('/plans?status=ACTIVE'));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: MEMBER_WALLET }).click();
    await page.getByRole('heading', { name: 'Plans', level: 1 }).waitFor();
    expect(page.url()).toBe(world.urlOf('/plans?status=ACTIVE'));
    expect(pageProblems).toEqual([]);
  });

  it('explains to a wallet that is not a member what to do', async () => {
    const { page } = await world.newMember(await world.newWallet());
    await page.goto(world.urlOf('/'));
    await page.getByRole('button', { name: MEMBER_WALLET }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('not a member of any merchant');
  });

  it('lists plans with exact prices, and keeps the filter in the URL', async () => {
    const { page } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/plans'));
    const row = page.getByRole('row', { name: /Pro/ });
    await row.waitFor();
    expect(await row.textContent()).toContain('5.00 USDC');
    await page.getByLabel('Status').selectOption('DRAFT');
    await page.getByText('Nothing matches these filters').waitFor();
    expect(new URL(page.url()).search).toBe('?status=DRAFT');
    await page.reload();
    await page.getByText('Nothing matches these filters').waitFor();
    await page.goBack();
    await row.waitFor();
  });

  it('shows a new subscription at once, without a reload', async () => {
    const other = await world.newMerchant();
    const plan = await world.publishPlan(other, { planId: 'live', name: 'Live' });
    const { page, pageProblems } = await world.signIn(other.wallet);
    await page.getByText('No events yet').waitFor();
    await page.getByText('Live', { exact: true }).first().waitFor();
    await world.subscribe(other, plan, await world.newWallet());
    await world.relay();
    await page.getByText(/^New subscription · Live$/).waitFor();
    await page.getByText('155.00 USDC').first().waitFor();
    await page.getByText('All wallets could pay now').first().waitFor();
    await page.getByText('1 of 1 were completed: 100%.').waitFor();
    await page.getByText(/^Next: \w+ \d+$/).waitFor();
    // The axes of the charts name their units.
    for (const unit of [
      'USDC',
      'USDC per day',
      'Subscriptions per day',
      'Attempts per day',
      'Checkouts per day',
    ]) {
      await page.locator('figure').getByText(unit, { exact: true }).first().waitFor();
    }
    expect(pageProblems).toEqual([]);
  });

  it('shows each event once after its socket was cut, including events during the cut', async () => {
    const { scope, wallet } = await world.newMerchant();
    const { page } = await world.signIn(wallet);
    let cut: () => unknown = () => undefined;
    let sendsWrongCursor = false;
    const opening = Promise.withResolvers<void>();
    await page.routeWebSocket(/\/graphql$/, async (socket) => {
      await opening.promise;
      const server = socket.connectToServer();
      cut = () => Promise.all([socket, server].map((side) => side.close({ code: 4_000, reason: 'cut' })));
      socket.onMessage((message) => {
        server.send(sendsWrongCursor ? String(message).replace(/"after":"[^"]+"/, '"after":"old"') : message);
      });
      server.onMessage((message) => {
        if (String(message).includes('"param":"after"')) sendsWrongCursor = false;
        socket.send(message);
      });
    });
    // The first request for the cursor fails.
    let cursorRequests = 0;
    await page.route('**/graphql', (route) => {
      if (!route.request().postData()?.includes('query EventsCursor')) return route.fallback();
      cursorRequests += 1;
      return cursorRequests === 1 ? route.abort() : route.fallback();
    });
    await page.reload();
    await page.getByText('No events yet').waitFor();
    const paths: string[] = [];
    const triggerSample = async () => {
      const { id } = await triggerEvent(world.ctx, scope, { type: 'subscription.created' });
      paths.unshift(new URL(world.urlOf(`/events/${id}`)).pathname);
      await world.relay();
    };
    await triggerSample();
    opening.resolve();
    await page.getByText('Live', { exact: true }).first().waitFor();
    for (let cuts = 0; cuts < 3; cuts += 1) {
      await triggerSample();
      // After the last cut, the page sends a cursor that the server refuses.
      sendsWrongCursor = cuts === 2;
      await cut();
      await triggerSample();
      await vi.waitFor(async () => expect(await page.evaluate(READ_EVENT_PATHS)).toEqual(paths), 20_000);
    }
  });

  it('shows revenue first, beside the period before, and failures upwards', async () => {
    const { page } = await world.signIn(merchant.wallet);
    const headings = page.getByRole('main').getByRole('heading', { level: 2 });
    await page.getByRole('heading', { name: 'Failed attempts by reason' }).waitFor();
    const names = await headings.allTextContents();
    const money = ['Monthly recurring revenue', 'Collected'];
    const numbers = ['Active subscriptions', 'New subscriptions', 'Churn rate', 'Failed attempts'];
    expect(names.slice(names.indexOf(money[0] ?? ''))).toEqual([
      ...money,
      ...numbers,
      'Live',
      'Upcoming payments',
      'Checkouts',
      'Recurring revenue by day',
      'Subscriptions by day',
      'Failed attempts by reason',
    ]);

    const collected = page.getByRole('figure', { name: 'Collected in USDC' });
    await collected.getByText('Previous period', { exact: true }).waitFor();
    const slider = collected.getByRole('slider', { name: 'Collected in USDC' });
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/\(Previous period: .* USDC\)$/);
    await collected.getByText('Show as table').click();
    await collected.getByRole('columnheader', { name: 'Previous period' }).waitFor();
    await page.getByText(/^[\d,]+\.00 USDC in the 30 days before$/).waitFor();
    await page.getByText(/^[\d,]+\.00 USDC 30 days ago$/).waitFor();

    // More failures than in the period before are no good news.
    const failed = page
      .locator('div', { has: page.getByRole('heading', { name: 'Failed attempts', exact: true }) })
      .last();
    expect(await failed.getByTitle('Previous period').getAttribute('class')).toBe('text-bad');
    const failures = page.getByRole('figure', { name: 'Failed attempts by reason' });
    expect(await failures.evaluate(lowestBar)).toBeLessThanOrEqual(await failures.evaluate(zeroLine));
  });

  it('has the same typeface on every system, of one small file', async () => {
    const member = await world.newMember(merchant.wallet);
    const { page, pageProblems } = member;
    const files: string[] = [];
    page.on('request', (request) => request.resourceType() === 'font' && files.push(request.url()));
    await page.goto(world.urlOf('/sign-in'));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(`document.fonts.check('600 14px "Noto Sans"', 'Sign in')`)).toBe(true);
    expect(files).toEqual([expect.stringMatching(/\/dashboard\/assets\/noto-sans-basic-\S+\.woff2$/)]);
    // Other letters load their file, for example of a customer's name.
    await page.getByRole('heading', { name: 'Sign in' }).evaluate((heading) => heading.append(' Dvořák'));
    await expect.poll(() => files.length, SOON).toBe(3);
    expect(pageProblems).toEqual([]);
  });

  it('shows amounts of five digits whole, on phones too', async () => {
    const { page } = await world.signIn(merchant.wallet);
    for (const width of [390, 720, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page
        .getByText(/^\d\d,\d{3}\.00 USDC$/)
        .first()
        .waitFor();
      await page.getByText(/^Next: \w+ \d+$/).waitFor();
      expect({ width, cut: await page.getByRole('main').evaluate(cutAmounts) }).toEqual({ width, cut: [] });
      await takeScreenshots({ page }, 'overview-filled', [width]);
    }
  });

  it('shows a problem of the service as needing attention, with a link to its page', async () => {
    const { page } = await world.signIn(merchant.wallet);
    const problems = page.getByRole('region', { name: 'Needs attention' });
    await problems.getByText('The collector is out of SOL: nothing is collected.').waitFor();
    await problems.getByRole('link', { name: 'View' }).first().click();
    await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor();
  });

  it('keeps TEST and LIVE apart, and names TEST on every page', async () => {
    const { page } = await world.signIn(merchant.wallet);
    await page.getByText('No real money moves here.').waitFor();
    await page.getByRole('link', { name: 'LIVE', exact: true }).click();
    await page.waitForURL(world.urlOf('/', 'live'));
    await page.getByText('No subscriptions yet').waitFor();
    expect(await page.getByText('No real money moves here.').count()).toBe(0);
  });

  it('works by keyboard: pages, rows, search and help', async () => {
    const { page } = await world.signIn(merchant.wallet);
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByRole('row', { name: /Pro/ }).waitFor();
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Starter');
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Pro');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    await page.keyboard.type('ada@');
    await page
      .getByRole('button', { name: /Customer ada@example\.com/ })
      .first()
      .waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('over');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  });

  it('gives the focus back to the button of each dialog when the dialog closes', async () => {
    const { page } = await world.signIn(merchant.wallet);
    const dialog = page.getByRole('dialog');
    for (const [path, names] of [
      ['/plans/pro', ['Edit', 'Share', 'Test checkout', 'Close plan']],
      ['/keys', ['Create key']],
      ['/links', ['Create link']],
      ['/webhooks', ['Add endpoint']],
      ['/team', ['Invite', 'Search', 'Keyboard shortcuts']],
    ] as const) {
      await page.goto(world.urlOf(path));
      for (const name of names) {
        const opener = page.getByRole('button', { name }).first();
        await opener.press('Enter');
        await dialog.waitFor();
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        expect({ name, isFocused: await opener.evaluate(isFocused) }).toEqual({ name, isFocused: true });
      }
    }
  });

  it('focuses the content of each page that a link opens, and announces its title', async () => {
    const { page } = await world.signIn(merchant.wallet);
    const titles = [
      'Plans',
      'Payment links',
      'Subscriptions',
      'Customers',
      'Webhooks',
      'Settings',
      'Overview',
    ];
    for (const title of titles) {
      await page.getByRole('navigation').getByRole('link', { name: title, exact: true }).press('Enter');
      await page.getByRole('status').getByText(`${title} · dues`, { exact: true }).waitFor();
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      expect({ title, isFocused: await page.locator('main').evaluate(isFocused) }).toEqual({
        title,
        isFocused: true,
      });
    }
  });

  it('focuses the content if the button of a closed dialog is gone', async () => {
    const { scope, wallet } = await world.newMerchant();
    await createPlan(world.ctx, scope, { planId: 'gone', name: 'Gone', amount: 1n, intervalSeconds: DAY });
    const { page } = await world.signIn(wallet);
    await page.goto(world.urlOf('/plans/gone'));
    await page.getByRole('button', { name: 'Edit' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.getByRole('button', { name: 'Edit' }).evaluate((button) => button.remove());
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.locator('main').evaluate(isFocused)).toBe(true);
  });

  it('keeps a dialog open and its text when a selection ends outside it', async () => {
    const { page } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/keys'));
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const field = page.getByLabel('Name', { exact: true });
    await field.fill('Shop backend');
    const box = await field.boundingBox();
    if (!box) throw new Error('The field has no box');
    await page.mouse.move(box.x + 60, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(5, box.y);
    await page.mouse.up();
    expect(await field.inputValue()).toBe('Shop backend');
    await page.mouse.click(5, box.y);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('signs out', async () => {
    const { page } = await world.signIn(merchant.wallet);
    await page.getByRole('button', { name: /Acme/ }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it.each([
    ['sign-in', '/sign-in', MEMBER_WALLET],
    ['overview', '/', 'New subscriptions'],
    ['plans', '/plans', 'Starter'],
    ['missing-path', '/nothing', 'No page has this address.'],
  ])('axe finds nothing on %s, light on desktops and dark on phones', async (name, path, text) => {
    const member =
      path === '/sign-in' ? await world.newMember(merchant.wallet) : await world.signIn(merchant.wallet);
    expect(await world.faultsOf(member, path, text, name)).toEqual([]);
  });

  it('shows what is due after the network’s time was moved, and what is next', async () => {
    const other = await world.newMerchant();
    const plan = await world.publishPlan(other, { planId: 'rare', name: 'Rare', intervalSeconds: 60 * DAY });
    const { id } = await world.subscribe(other, plan, await world.newWallet());
    const { page, pageProblems } = await world.signIn(other.wallet);
    const upcoming = page.locator('section', { hasText: 'Upcoming payments' });
    const nextPaymentAt = new Date(world.ctx.clock.now().getTime() + 60 * DAY * 1_000);
    await world.db.subscription.update({ where: { id }, data: { nextPaymentAt } });
    await page.reload();
    await upcoming.getByText(/The next payment is due on/).waitFor();
    await world.travelOnChain(31 * DAY);
    await upcoming.getByText('Next 30 days').waitFor();
    await upcoming.getByText('1 payment', { exact: true }).first().waitFor();
    expect(pageProblems).toEqual([]);
  });
});

/** Runs in the page: the lower end of the lowest bar of a chart. */
function lowestBar(figure: Element): number {
  const bars = [...figure.querySelectorAll('svg rect')].filter(
    (bar) => bar.getBoundingClientRect().height > 0,
  );
  if (bars.length === 0) throw new Error('The chart has no bars');
  return Math.max(...bars.map((bar) => Math.floor(bar.getBoundingClientRect().bottom)));
}

/** Runs in the page: where the zero line of a chart is. */
function zeroLine(figure: Element): number {
  return Math.ceil(figure.querySelector('line.stroke-edge')?.getBoundingClientRect().bottom ?? 0);
}

/** Runs in the page: the amounts that an element around them cuts off. */
function cutAmounts(main: Element): string[] {
  const isCut = (amount: Element) => {
    const { left, right } = amount.getBoundingClientRect();
    for (let around = amount.parentElement; around; around = around.parentElement) {
      const box = around.getBoundingClientRect();
      const hides = getComputedStyle(around).overflowX !== 'visible' || around === document.body;
      if (hides && (right > box.right + 1 || left < box.left - 1)) return true;
    }
    return false;
  };
  return [...main.querySelectorAll('span, p, dd')]
    .filter((element) => /^[\d,.]+ USDC/.test(element.textContent ?? '') && isCut(element))
    .map(({ textContent }) => textContent ?? '');
}

/** Runs in the page. */
function isFocused(element: unknown): boolean {
  return document.activeElement === element;
}
