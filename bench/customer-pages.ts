import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Cookie, Page } from 'playwright-core';
import { startApi } from '../src/api/server/server.ts';
import { createLink } from '../src/domain/checkout/payment-link/create-link.ts';
import { updateLink } from '../src/domain/checkout/payment-link/update-link.ts';
import { createPortalSession } from '../src/domain/portal/portal-link.ts';
import { axeFindings, type Look } from '../tools/axe.ts';
import { BENCH_WALLET, buyWithSolanaPay, injectBenchWallet, openCheckout } from './customer-buys.ts';
import type { CustomerWorld } from './customer-world.ts';
import { measureLighthouse } from './lighthouse.ts';

const ONE_SOL = 1_000_000_000n;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export const LIGHTHOUSE_TARGET = 95;
const LOOKS: readonly Look[] = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [320, 1440].map((width) => ({ colorScheme, width })),
);

/**
 * Measures the pages that customers see: their size, the findings of axe and Lighthouse, and which
 * of three pages lack instructions for browsers without JavaScript.
 */
export async function measurePages(world: CustomerWorld, browser: Browser, executablePath: string) {
  await using closing = new AsyncDisposableStack();
  const portal = await startPortal(world, closing);
  const sizes = await measureSizes(world);
  const axe = await inspect(world, browser, portal);
  for (const finding of axe) console.log(`  ${finding}`);
  const silent = await findSilentPages(world, browser, portal);
  for (const page of silent) console.log(`  no instructions without JavaScript: ${page}`);
  const lighthouse = await measureWorstScore(world, executablePath, portal);
  return { ...sizes, axe: axe.length, silent_without_script: silent.length, lighthouse_min: lighthouse };
}

interface Portal {
  readonly url: string;
  /** The cookies of a customer who is signed in. */
  readonly cookies: readonly Cookie[];
  readonly subscriptionId: string;
}

/** Starts an API whose public URL is its own, and signs a customer in to its portal. */
async function startPortal(world: CustomerWorld, closing: AsyncDisposableStack): Promise<Portal> {
  const config = { ...world.ctx.config };
  const api = await startApi({ ...world.ctx, config });
  closing.defer(() => api.close());
  Object.assign(config, { publicUrl: api.url });
  const { subscription } = await buyWithSolanaPay(world, { email: 'eve@shop.example', from: '192.0.2.6' });
  const input = { customer: subscription.customerId };
  const { url } = await createPortalSession({ ...world.ctx, config }, world.seller.scope, input);
  const response = await fetch(`${api.url}/api/portal/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: api.url },
    body: JSON.stringify({ token: url.split('=').at(-1), confirmed: true }),
  });
  const [name = '', value = ''] = response.headers.getSetCookie().at(-1)?.split(';')[0]?.split('=') ?? [];
  const cookie = { name, value, domain: new URL(api.url).hostname, path: '/', expires: -1 };
  const cookies = [{ ...cookie, httpOnly: true, secure: false, sameSite: 'Strict' } as const];
  return { url: api.url, cookies, subscriptionId: subscription.id };
}

/** The size of what a browser loads first, in kB after gzip. */
async function measureSizes(world: CustomerWorld) {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'web']);
  const [, portal] = /\bportal built, first load ([\d.]+) kB gz/.exec(stdout) ?? [];
  if (portal === undefined) throw new Error(`The portal was not built:\n${stdout}`);
  const { checkout, link } = await createPublicUrls(world);
  const read = async (url: string | URL) => Buffer.from(await (await fetch(url)).arrayBuffer());
  const kilobytes = async (url: string) => {
    const page = await read(url);
    const scripts = Array.from(page.toString().matchAll(/<script [^>]*src="([^"]+)"/g), ([, source = '']) =>
      read(new URL(source, url)),
    );
    const bytes = [page, ...(await Promise.all(scripts))].map((file) => gzipSync(file).length);
    return Number((bytes.reduce((total, size) => total + size, 0) / 1_000).toFixed(1));
  };
  return {
    portal_kb: Number(portal),
    checkout_kb: await kilobytes(checkout),
    link_kb: await kilobytes(link),
  };
}

/** Opens a checkout. Returns its URL and that of the payment link. */
async function createPublicUrls(world: CustomerWorld) {
  const { api, seller } = world;
  const sessionId = await openCheckout(world, { seller, from: '192.0.2.7' });
  return { checkout: `${api.url}/checkout/${sessionId}`, link: `${api.url}/pay/${seller.link.id}` };
}

/** The findings of axe on every page, in both themes and at both widths. */
async function inspect(world: CustomerWorld, browser: Browser, portal: Portal): Promise<string[]> {
  const { ctx, api, seller } = world;
  const { checkout, link } = await createPublicUrls(world);
  const closed = await createLink(ctx, seller.scope, { planId: seller.plan.planId });
  await updateLink(ctx, seller.scope, closed.id, { active: false });
  const findings: string[] = [];
  const context = await browser.newContext();
  await injectBenchWallet(context, world, await world.newWallet(ONE_SOL));
  const poor = await browser.newContext();
  const wallet = await world.newWallet(ONE_SOL);
  await world.give(wallet.address, 0n, 1n);
  await injectBenchWallet(poor, world, wallet);
  const member = await browser.newContext();
  await member.addCookies([...portal.cookies]);
  const connectWallet = async (page: Page) =>
    page.getByRole('button', { name: BENCH_WALLET, exact: true }).click();
  const views: [
    name: string,
    context: BrowserContext,
    url: string,
    prepare: (page: Page) => Promise<unknown>,
  ][] = [
    ['link', context, link, async () => undefined],
    ['link off', context, `${api.url}/pay/${closed.id}`, async () => undefined],
    ['link, wrong email', context, link, submitInvalidEmail],
    ['checkout', context, checkout, (page) => page.getByRole('button', { name: BENCH_WALLET }).waitFor()],
    [
      'checkout, wallet without money',
      poor,
      checkout,
      async (page) => {
        await connectWallet(page);
        await page
          .getByRole('img', { name: /^QR code to send/ })
          .first()
          .waitFor();
      },
    ],
    [
      'checkout, to approve',
      context,
      checkout,
      async (page) => {
        await connectWallet(page);
        await page.getByRole('button', { name: 'Approve subscription' }).waitFor();
      },
    ],
    [
      'checkout, done',
      context,
      checkout,
      async (page) => {
        await connectWallet(page);
        await page.getByRole('button', { name: 'Approve subscription' }).click();
        await page.getByRole('heading', { name: 'You are subscribed' }).waitFor();
      },
    ],
    [
      'portal, sign in',
      context,
      `${portal.url}/portal`,
      (page) => page.getByRole('heading', { level: 1 }).waitFor(),
    ],
    ['portal', member, `${portal.url}/portal`, (page) => page.getByRole('link', { name: /Pro/ }).waitFor()],
    [
      'portal, subscription',
      member,
      `${portal.url}/portal/${portal.subscriptionId}`,
      (page) => page.getByText(/^Enough for /).waitFor(),
    ],
  ];
  for (const [name, viewContext, url, prepare] of views) {
    const page = await viewContext.newPage();
    await page.goto(url);
    await prepare(page);
    findings.push(...(await axeFindings(page, LOOKS)).map((finding) => `${name} ${finding}`));
    await page.close();
  }
  for (const opened of [context, poor, member]) await opened.close();
  return findings;
}

/** Submits the form of a link with an email that the browser accepts and the service refuses. */
async function submitInvalidEmail(page: Page): Promise<void> {
  await page.getByLabel('Your email').fill('ada@example');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').waitFor();
}

/** Those of three pages that lack their instructions or form without JavaScript. */
async function findSilentPages(world: CustomerWorld, browser: Browser, portal: Portal): Promise<string[]> {
  const { checkout, link } = await createPublicUrls(world);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const expected: [url: string, find: (page: Page) => ReturnType<Page['getByText']>][] = [
    [`${portal.url}/portal`, (page) => page.getByRole('heading', { name: 'This page needs JavaScript' })],
    // `getByText` ignores the content of `noscript`.
    [checkout, (page) => page.locator('noscript p')],
    [link, (page) => page.getByRole('button', { name: 'Continue' })],
  ];
  const silent: string[] = [];
  for (const [url, find] of expected) {
    const page = await context.newPage();
    await page.goto(url);
    if (!(await find(page).isVisible())) silent.push(url);
  }
  await context.close();
  return silent;
}

/** The lowest Lighthouse score of four pages, for phones and desktops. */
async function measureWorstScore(
  world: CustomerWorld,
  executablePath: string,
  portal: Portal,
): Promise<number> {
  const { checkout, link } = await createPublicUrls(world);
  // Search engines must not list pages of one customer.
  const privateSkips = ['is-crawlable'];
  // Lighthouse fetches robots.txt from within the page, whose content security policy forbids it.
  const linkSkips = ['robots-txt'];
  const visits = [
    { url: link, cookies: [], skippedAudits: linkSkips },
    { url: checkout, cookies: [], skippedAudits: privateSkips },
    { url: `${portal.url}/portal`, cookies: [], skippedAudits: privateSkips },
    { url: `${portal.url}/portal`, cookies: portal.cookies, skippedAudits: privateSkips },
  ];
  const allScores: number[] = [];
  for (const visit of visits) {
    const enough = LIGHTHOUSE_TARGET;
    const scores = await measureLighthouse({ ...visit, executablePath, categories: CATEGORIES, enough });
    console.log(`lighthouse ${visit.url}: ${JSON.stringify(scores)}`);
    allScores.push(...Object.values(scores).flatMap((categoryScores) => Object.values(categoryScores)));
  }
  return Math.min(...allScores);
}
