import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { type ClusterUrls, localCluster } from '../../bin/local-cluster.ts';
import { startApi } from '../../src/api/server/server.ts';
import { createApp } from '../../src/app.ts';
import { DEVNET_USDC } from '../../src/config/variables/cluster.ts';
import { openSession } from '../../src/domain/accounts/sign-in/open-session.ts';
import { worldConfig } from '../../tools/world/config.ts';
import { startDatabase } from '../../tools/world/database.ts';
import { COLLECTOR_KEY } from '../../tools/world/network.ts';
import { median, round } from '../lib/statistics.ts';
import { seedGrownMerchant } from '../queries/seed.ts';

/** The last is few enough to seed in seconds, and enough to notice a list that reads all its rows. */
const SIZES = [1_000, 10_000, 100_000];
const RUNS = 7;

/** Milliseconds of each step of `STEPS`, the median of all runs. */
type StepTimes = Readonly<Record<string, number>>;

/**
 * Measures how long the list of subscriptions takes to open, filter, page and search at each of
 * `SIZES`, and how much longer it takes at the last than at the first.
 *
 * @param cluster the cluster that the service reads
 */
export async function measureGrowth(browser: Browser, cluster: ClusterUrls) {
  const sizes: { readonly subscriptions: number; readonly ms: StepTimes }[] = [];
  for (const subscriptions of SIZES)
    sizes.push({ subscriptions, ms: await measureList(browser, cluster, subscriptions) });
  const sum = (times: StepTimes = {}) => Object.values(times).reduce((total, ms) => total + ms, 0);
  return { sizes, growth: sum(sizes.at(-1)?.ms) / sum(sizes[0]?.ms) };
}

async function measureList(
  browser: Browser,
  cluster: ClusterUrls,
  subscriptions: number,
): Promise<StepTimes> {
  await using closing = new AsyncDisposableStack();
  const { url: databaseUrl } = await startDatabase(closing);
  const config = worldConfig(databaseUrl, { clusters: { TEST: localCluster(cluster, COLLECTOR_KEY) } });
  const app = await createApp(config);
  closing.defer(() => app.close());
  const { db } = app.ctx;
  const { scope } = await seedGrownMerchant(db, config.secretKey, { subscriptions, backlog: 0 });
  // Pages read the decimals of prices from the cluster, which must know the token.
  await db.plan.updateMany({ data: { mint: DEVNET_USDC } });
  const api = await startApi(app.ctx);
  closing.defer(() => api.close());
  // The origin of the page must be that of the service.
  Object.assign(config, { publicUrl: api.url });
  const member = await db.member.create({
    data: {
      merchantId: scope.merchantId,
      walletAddress: randomUUID(),
      role: 'OWNER',
      createdAt: app.ctx.clock.now(),
    },
  });
  const { token } = await openSession(app.ctx, db, member, {});
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  closing.defer(() => context.close());
  await context.addCookies([{ name: 'dues_session', value: token, url: api.url, sameSite: 'Strict' }]);
  const page = await context.newPage();
  const runs: Map<string, number>[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    // Each run loads the pages again, because they cache what they have read.
    await page.goto(`${api.url}/dashboard/test/plans`);
    await page.getByRole('heading', { name: 'Plans', level: 1 }).waitFor();
    runs.push(await walkList(page));
  }
  return Object.fromEntries(
    STEPS.map(({ name }) => [name, round(median(runs.map((run) => run.get(name) ?? 0)))]),
  );
}

/** What a member does in the list, and how the page shows that it is done. */
interface Step {
  readonly name: string;
  /** What the member does before the time starts. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly act: (page: Page) => Promise<unknown>;
  /** The element that the page then shows, and a text in it. */
  readonly shown: string;
  readonly text?: string;
}

const FOUND = 'customer-77@example.com';
const FIRST_ROW = 'table[aria-label=Subscriptions][aria-busy=false] tbody tr:first-child';

const STEPS: readonly Step[] = [
  {
    name: 'open',
    act: (page) => page.getByRole('link', { name: 'Subscriptions', exact: true }).click(),
    shown: FIRST_ROW,
  },
  {
    name: 'past due',
    act: (page) => page.getByRole('link', { name: /^Past due/ }).click(),
    shown: FIRST_ROW,
    text: 'Past due',
  },
  {
    name: 'active',
    act: (page) => page.getByRole('link', { name: /^Active/ }).click(),
    shown: FIRST_ROW,
    text: 'Active',
  },
  {
    name: 'next',
    act: (page) => page.getByRole('button', { name: 'Next' }).click(),
    // The first page has no previous one.
    shown: 'table[aria-busy=false] ~ div button:first-child:enabled',
    text: 'Previous',
  },
  {
    name: 'search',
    act: (page) => page.getByLabel('Customer, wallet or address').fill(FOUND),
    shown: FIRST_ROW,
    text: FOUND,
  },
  {
    name: 'dialog',
    prepare: async (page) => {
      await page.getByRole('heading', { level: 1 }).click();
      await page.keyboard.press('/');
      await page.getByRole('dialog').waitFor();
    },
    act: (page) => page.getByRole('dialog').getByRole('textbox').fill(FOUND),
    shown: 'dialog li',
    text: FOUND,
  },
];

/** Opens the list, filters it, turns a page and searches. Returns the milliseconds of each step. */
async function walkList(page: Page): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (const { name, prepare, act, shown, text = '' } of STEPS) {
    await prepare?.(page);
    const startedAt = performance.now();
    await act(page);
    await page.waitForFunction(
      ([selector, part]) => document.querySelector(selector)?.textContent.includes(part),
      [shown, text] as const,
    );
    times.set(name, performance.now() - startedAt);
  }
  return times;
}
