// `npm run pictures` takes pictures of the pages of `npm start`: without data, after a busy month, and
// in case of an error; in both themes, at the widths of a desktop and a phone. They go to `.pictures/`,
// and the README's picture to `docs/pictures/`.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { strictUsage } from '../../bin/strict-usage.ts';
import { findChromium, startChromium } from '../chromium.ts';
import { createMemberClient, type MemberClient } from '../dashboard/member-client.ts';
import { preparePaths } from '../dashboard/page-paths.ts';
import { dashboardRoutes } from '../dashboard/routes.ts';
import { playStory } from '../dashboard/story.ts';
import { createMouse } from '../dashboard/user-input.ts';
import { startDues } from '../world/start-dues.ts';
import { playBusyMonth } from './busy-month.ts';
import { settled, writeReadmePicture } from './readme-picture.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, '.pictures');
const README_PICTURE = join(ROOT, 'docs/pictures/overview.webp');
const START_TIMEOUT_MS = 300_000;
const PAGE_TIMEOUT_MS = 60_000;
const THEMES = ['light', 'dark'] as const;
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

const { readme: onlyReadme = false } = strictUsage(
  new Command('npm run pictures --')
    .description('Takes pictures of all pages into .pictures/, and that of the README.')
    .option('--readme', 'only the picture of the README'),
)
  .parse()
  .opts<{ readme?: boolean }>();

const chromium = findChromium();
if (chromium) await takePictures(chromium);
else {
  console.error('No picture was taken: there is no chromium on this machine.');
  process.exitCode = 1;
}

async function takePictures(executablePath: string): Promise<void> {
  await using closing = new AsyncDisposableStack();
  const browser = await startChromium(executablePath);
  closing.defer(() => browser.close());
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER);
  const { dues, end } = await startDues();
  closing.defer(async () => void (await end()));
  const [, url = ''] = await dues.printed(/Open (\S+) in a browser/, START_TIMEOUT_MS);
  const [, rpcUrl = ''] = await dues.printed(/Solana +(\S+)/);

  if (!onlyReadme) await pictureEmptyPages(browser, url);
  const context = await newContext(browser);
  await playStory(context, createMouse(), { url, name: 'Team' });
  for (const opened of context.pages()) await opened.close();
  const member = createMemberClient(context, url);
  await playBusyMonth(member, rpcUrl);
  const page = await newPage(context);
  const dashboard = `${member.origin}/dashboard/test`;
  const portal = await pictureCustomerPages(page, member);
  await writeReadmePicture(browser, context, { dashboard: `${dashboard}/`, portal, file: README_PICTURE });
  if (!onlyReadme) await pictureFilledPages(page, member, dashboard);
  if (!onlyReadme) await pictureEndedSubscription(page, member);
  if (!onlyReadme) await pictureErrors(page, member.origin);
  console.log(`The pictures are in ${FOLDER}, and the README's is ${README_PICTURE}.`);
}

async function pictureFilledPages(page: Page, member: MemberClient, dashboard: string): Promise<void> {
  const routes = [...dashboardRoutes()];
  for (const [index, path] of (await preparePaths(member)).entries()) {
    const name = routes[index]?.replace(/\$\w+/, 'one') ?? path;
    await pictureOf(page, `${dashboard}${path}`, `filled${nameOf(name)}`);
  }
  await pictureOpened(page, member, dashboard);
}

/** The command menu, the refund dialog, and an endpoint with two signing secrets. */
async function pictureOpened(page: Page, { ask }: MemberClient, dashboard: string): Promise<void> {
  const { payments, webhookEndpoints } = await ask<{
    payments: { edges: { node: { id: string; refundableAmount: string } }[] };
    webhookEndpoints: { edges: { node: { id: string } }[] };
  }>(`{
    payments(first: 100, filter: { status: SUCCEEDED }) { edges { node { id refundableAmount } } }
    webhookEndpoints(first: 1) { edges { node { id } } }
  }`);
  const paid = payments.edges.find(({ node }) => node.refundableAmount !== '0')?.node.id;
  await page.goto(`${dashboard}/payments/${paid}`);
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await page.getByText('Half').click();
  await settled(page);
  await picture(page, 'filled-refund');
  const endpoint = webhookEndpoints.edges[0]?.node.id;
  await ask('mutation ($id: ID!) { rotateWebhookSecret(id: $id) { secret } }', { id: endpoint });
  await pictureOf(page, `${dashboard}/webhooks/${endpoint}`, 'filled-two-secrets');
  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('dialog', { name: 'Search and actions' }).waitFor();
  await picture(page, 'filled-command-menu');
}

function newContext(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({
    viewport: SIZES.desktop,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
}

async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  return page;
}

/** The pages that a new merchant sees, after the sign-in. */
async function pictureEmptyPages(browser: Browser, url: string): Promise<void> {
  const context = await newContext(browser);
  const page = await newPage(context);
  const { origin } = new URL(url);
  await pictureOf(page, origin, 'empty-start');
  await pictureOf(page, `${origin}/docs`, 'empty-docs');
  await pictureOf(page, `${origin}/portal`, 'empty-portal');
  await pictureOf(page, url, 'empty-sign-in');
  await page.getByRole('button', { name: 'dues local wallet' }).click();
  await page.getByRole('button', { name: /^Demo merchant / }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  for (const route of [...dashboardRoutes()].filter((path) => !path.includes('$'))) {
    await pictureOf(page, `${origin}/dashboard/test${route}`, `empty${nameOf(route)}`);
  }
  await context.close();
}

/**
 * Takes pictures of the pages of checkout, receipt and portal. Returns the URL of a subscription in
 * the portal.
 */
async function pictureCustomerPages(page: Page, { ask }: MemberClient): Promise<string> {
  const { createCheckoutSession } = await ask<{ createCheckoutSession: { url: string } }>(
    'mutation { createCheckoutSession(input: { planId: "pro-monthly", customerEmail: "new@example.com" }) { url } }',
  );
  await pictureOf(page, createCheckoutSession.url, 'filled-checkout');
  const paint = (color: string | null) =>
    ask('mutation ($color: String) { updateMerchantProfile(input: { brandColor: $color }) { brandColor } }', {
      color,
    });
  await paint('#ff6600');
  await pictureOf(page, createCheckoutSession.url, 'filled-checkout-coloured');
  await paint(null);
  const { createPaymentLink } = await ask<{ createPaymentLink: { url: string } }>(
    'mutation { createPaymentLink(input: { planId: "pro-monthly" }) { url } }',
  );
  await pictureOf(page, createPaymentLink.url, 'filled-payment-link');
  const { subscriptions, receipts } = await ask<CustomerRows>(
    `{ subscriptions(limit: 100) { data { customer { id } } }
      receipts(first: 1) { edges { node { url } } } }`,
  );
  await page.goto(createCheckoutSession.url);
  await approveCheckout(page);
  await page.getByRole('link', { name: 'View the receipt' }).waitFor();
  await settled(page);
  await picture(page, 'filled-checkout-completed');
  await pictureOf(page, receipts.edges[0]?.node.url ?? '', 'filled-receipt');
  await enterPortal(page, ask, subscriptions.data.at(-1)?.customer.id);
  await picture(page, 'filled-portal');
  await openFirstSubscription(page);
  await picture(page, 'filled-portal-one');
  return page.url();
}

/** Pays in the open checkout, with an account that the local wallet creates. */
async function approveCheckout(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'dues local wallet' }).click();
  await page.getByRole('button', { name: 'New account with test money' }).click();
  await page.getByRole('button', { name: 'Approve subscription' }).click();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
}

interface CustomerRows {
  readonly subscriptions: {
    readonly data: readonly { readonly customer: { readonly id: string } }[];
  };
  readonly receipts: { readonly edges: readonly { readonly node: { readonly url: string } }[] };
}

/** The portal of the subscription that has expired, whose plan has a payment link. */
async function pictureEndedSubscription(page: Page, { ask }: MemberClient): Promise<void> {
  const { subscriptions } = await ask<{
    subscriptions: { data: { plan: { planId: string }; customer: { id: string } }[] };
  }>(
    '{ subscriptions(limit: 1, filter: { statuses: [EXPIRED] }) { data { plan { planId } customer { id } } } }',
  );
  const [ended] = subscriptions.data;
  await ask('mutation ($planId: String!) { createPaymentLink(input: { planId: $planId }) { id } }', {
    planId: ended?.plan.planId,
  });
  await enterPortal(page, ask, ended?.customer.id);
  await openFirstSubscription(page);
  await picture(page, 'filled-portal-ended');
}

/** Signs in to the portal as a customer, whoever was signed in before. */
async function enterPortal(
  page: Page,
  ask: MemberClient['ask'],
  customer: string | undefined,
): Promise<void> {
  const { createPortalSession } = await ask<{ createPortalSession: { url: string } }>(
    'mutation ($customer: ID!) { createPortalSession(customer: $customer) { url } }',
    { customer },
  );
  await page.goto(createPortalSession.url);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await settled(page);
}

async function openFirstSubscription(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('link').first().click();
  await page.getByRole('link', { name: 'All subscriptions' }).waitFor();
  await settled(page);
}

async function pictureErrors(page: Page, origin: string): Promise<void> {
  await pictureOf(page, `${origin}/dashboard/test/no-such-page`, 'error-no-such-page');
  await pictureOf(page, `${origin}/checkout/cs_no-such-checkout`, 'error-checkout');
  await pictureOf(page, `${origin}/no-such-page`, 'error-address');
  await page.goto(`${origin}/dashboard/test/`);
  await page.route('**/graphql', (route) => route.abort());
  await pictureOf(page, `${origin}/dashboard/test/subscriptions`, 'error-subscriptions');
  await page.unroute('**/graphql');
}

async function pictureOf(page: Page, url: string, name: string): Promise<void> {
  await page.goto(url);
  await settled(page);
  await picture(page, name);
}

/** Takes a picture in both themes and both sizes. */
async function picture(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      const path = join(FOLDER, `${name}-${size}-${colorScheme}.png`);
      await page.screenshot({ path, animations: 'disabled' });
    }
  }
}

/** The part of a picture's name that a path gives: `/plans/new` is `-plans-new`. */
function nameOf(path: string): string {
  return path === '/' ? '' : path.replaceAll('/', '-');
}
