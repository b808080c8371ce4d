import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { startApi } from '../src/api/server/server.ts';
import { createApp } from '../src/app.ts';
import { DEVNET_USDC } from '../src/config/cluster-config.ts';
import { openSession } from '../src/domain/sign-in/open-session.ts';
import { benchConfig } from './config.ts';
import { startBenchDatabase } from './database.ts';
import { seedGrownMerchant } from './queries-seed.ts';
import { median } from './statistics.ts';
import { type ClusterUrls, testCluster } from './stream-world.ts';

const SMALL = 1_000;
/** Few enough to seed in seconds, and enough to notice a list that reads all its rows. */
const LARGE = 100_000;
const RUNS = 7;

/**
 * Measures how much longer the list of subscriptions takes to open, filter, page and search with
 * 100,000 subscriptions than with a thousand.
 *
 * @param cluster the cluster that the service reads
 */
export async function measureGrowth(browser: Browser, cluster: ClusterUrls) {
  const small = await measureList(browser, cluster, SMALL);
  const large = await measureList(browser, cluster, LARGE);
  const sum = (times: readonly StepTime[]) => times.reduce((total, { ms }) => total + ms, 0);
  return { small, large, growth: sum(large) / sum(small) };
}

interface StepTime {
  readonly step: string;
  /** Median of all runs. */
  readonly ms: number;
}

async function measureList(
  browser: Browser,
  cluster: ClusterUrls,
  subscriptions: number,
): Promise<StepTime[]> {
  await using closing = new AsyncDisposableStack();
  const { url: databaseUrl } = await startBenchDatabase(closing);
  const config = benchConfig(databaseUrl, { clusters: { TEST: await testCluster(cluster) } });
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
  return Object.keys(STEPS).map((step) => ({ step, ms: median(runs.map((run) => run.get(step) ?? 0)) }));
}

/** Time after the last typed letter until the page searches. */
const SEARCH_DELAY_MS = 300;

const STEPS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  open: (page) => page.getByRole('link', { name: 'Subscriptions', exact: true }).click(),
  'past due': (page) => page.getByRole('link', { name: /^Past due/ }).click(),
  active: (page) => page.getByRole('link', { name: /^Active/ }).click(),
  next: (page) => page.getByRole('button', { name: 'Next' }).click(),
  search: (page) => page.getByLabel('Customer, wallet or address').fill('customer-77@example.com'),
};

/** Opens the list, filters it, turns a page and searches. Returns the milliseconds of each step. */
async function walkList(page: Page): Promise<Map<string, number>> {
  const list = page.getByRole('table', { name: 'Subscriptions' });
  const times = new Map<string, number>();
  for (const [name, step] of Object.entries(STEPS)) {
    const startedAt = performance.now();
    const answered = page.waitForResponse(
      (response) => response.request().postData()?.includes('query SubscriptionRows') === true,
    );
    await step(page);
    await answered;
    await list.and(page.locator('[aria-busy=false]')).waitFor();
    times.set(name, performance.now() - startedAt - (name === 'search' ? SEARCH_DELAY_MS : 0));
  }
  return times;
}
