import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import type { ClusterUrls } from '../../bin/local-cluster.ts';
import { findChromium, startChromium } from '../../tools/chromium.ts';
import { createMemberClient, type MemberClient } from '../../tools/dashboard/member-client.ts';
import { playStory } from '../../tools/dashboard/story.ts';
import { createKeyboard, createMouse, type UserInput } from '../../tools/dashboard/user-input.ts';
import { measureLighthouse } from '../../tools/lighthouse.ts';
import { startDues } from '../../tools/world/start-dues.ts';
import { type Measured, measureParts } from '../lib/figures.ts';
import { openProfile } from '../lib/profile.ts';
import { round } from '../lib/statistics.ts';
import type { DASHBOARD_FIGURES, PARTS } from './figures.ts';
import { measureGrowth } from './growth.ts';
import { measureCuts, measureLive } from './live.ts';

/** A start is slow on a busy machine. Its time is part of the figures. */
const START_TIMEOUT_MS = 300_000;

/** Lines of the service's log that explain a part that failed. */
const LOG_LINES = 40;

type Figures = Measured<typeof DASHBOARD_FIGURES>;

/**
 * Measures the dashboard in Chromium: the story of a new merchant by mouse and by keyboard, how
 * fast and how exactly its pages follow events, the scores of Lighthouse, and how the time of its
 * lists grows.
 */
export default async function benchDashboard({
  only,
}: {
  readonly only?: (typeof PARTS)[number];
}): Promise<Figures> {
  const chromium = findChromium();
  if (!chromium) throw new Error('There is no chromium on this machine.');
  const first_route_kb = await buildDashboard();
  await using closing = new AsyncDisposableStack();
  const browser = await startChromium(chromium);
  closing.defer(() => browser.close());
  const startedAt = performance.now();
  const { dues, end } = await startDues();
  closing.defer(async () => void (await end()));
  const [, url = ''] = await dues.printed(/Open (\S+) in a browser/, START_TIMEOUT_MS);
  const [, rpcUrl = '', geyserUrl = ''] = await dues.printed(/Solana +(\S+) \(.*Yellowstone (\S+)\)/);
  const startedMs = performance.now() - startedAt;
  const context = await openProfile(closing, browser, WINDOW);
  const member = createMemberClient(context, url);
  const parts = {
    live: () => measureLivePart(context, member),
    lighthouse: () => measureLighthousePart(chromium, context, member),
    lists: () => measureListsPart(browser, { rpcUrl, geyserUrl }),
  };
  try {
    const story = await measureStories(browser, context, { url, startedMs });
    return { first_route_kb, ...story, ...(await measureParts(parts, only)) };
  } catch (error) {
    report(
      'the log of the service ends with',
      '',
      `${dues.stdout}\n${dues.stderr}`.split('\n').slice(-LOG_LINES),
    );
    throw error;
  }
}

async function measureStories(
  browser: Browser,
  context: BrowserContext,
  { url, startedMs }: { readonly url: string; readonly startedMs: number },
): Promise<Figures> {
  const byMouse = await measureStory(context, createMouse(), { url, name: 'By mouse' });
  const keyboardContext = await browser.newContext(WINDOW);
  const byKeyboard = await measureStory(keyboardContext, createKeyboard(), { url, name: 'By keyboard' });
  await keyboardContext.close();
  // The pages of the story would compete with the measured pages for the processor.
  for (const page of context.pages()) await page.close();
  const errors = [...byMouse.errors, ...byKeyboard.errors];
  report('npm start', `${seconds(startedMs)} s`);
  report('the story by mouse', `${seconds(byMouse.ms)} s, ${byMouse.uses} clicks`);
  report('the story by keyboard', `${seconds(byKeyboard.ms)} s, ${byKeyboard.uses} uses`);
  report('errors of pages', `${errors.length}`, errors);
  return {
    story_s: seconds(startedMs + byMouse.ms),
    clicks: byMouse.uses,
    story_keyboard_s: seconds(startedMs + byKeyboard.ms),
    csp: errors.filter((error) => /content security policy/i.test(error)).length,
    errors: errors.length,
  };
}

async function measureLivePart(context: BrowserContext, member: MemberClient): Promise<Figures> {
  const { shown, p50Ms, p99Ms, updateMs } = await measureLive(context, member);
  report('event to repaint', `p50 ${p50Ms} ms, p99 ${p99Ms} ms, ${shown} events shown`);
  const { cuts, gaps, doubles, differences, limitUsed } = await measureCuts(context, member);
  const isEqual = differences.length === 0;
  report('cut sockets', `${cuts} cuts, ${gaps} gaps, ${doubles} doubles, equal: ${isEqual}`, differences);
  report('limit of the merchant', `${limitUsed} requests taken by five tabs`);
  return {
    live_p99_ms: round(p99Ms),
    update_ms: round(updateMs, 1),
    feed_gaps: gaps,
    feed_doubles: doubles,
    charts_differ: Number(!isEqual),
    limit_used: limitUsed,
  };
}

async function measureLighthousePart(
  chromium: string,
  context: BrowserContext,
  { origin }: MemberClient,
): Promise<Figures> {
  const scores = await measureLighthouse({
    executablePath: chromium,
    url: `${origin}/dashboard/test/`,
    cookies: await context.cookies(),
    categories: ['performance', 'accessibility', 'best-practices'],
  });
  report('lighthouse', JSON.stringify(scores));
  const { mobile, desktop } = scores;
  const others = [mobile, desktop].flatMap((device) => [device.accessibility, device['best-practices']]);
  return {
    lighthouse_mobile: mobile.performance,
    lighthouse_desktop: desktop.performance,
    lighthouse_others: Math.min(...others),
  };
}

async function measureListsPart(browser: Browser, cluster: ClusterUrls): Promise<Figures> {
  const { sizes, growth } = await measureGrowth(browser, cluster);
  for (const { subscriptions, ms } of sizes)
    report(`list of ${subscriptions} subscriptions`, JSON.stringify(ms));
  const { next = 0, search = 0, dialog = 0 } = sizes[1]?.ms ?? {};
  return {
    page_growth: round(growth, 2),
    page_ms: round(next),
    search_ms: round(Math.max(search, dialog)),
  };
}

/** Builds the dashboard. Returns the compressed size of the first route, in kB. */
async function buildDashboard(): Promise<number> {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'web']);
  const [, kilobytes] = /first route ([\d.]+) kB/.exec(stdout) ?? [];
  if (kilobytes === undefined) throw new Error(`The dashboard was not built:\n${stdout}`);
  return Number(kilobytes);
}

function report(label: string, measured: string, details: readonly string[] = []): void {
  console.log(`${label}: ${measured}`);
  for (const detail of details) console.log(`  ${detail}`);
}

function seconds(ms: number): number {
  return round(ms / 1_000, 1);
}

const WINDOW: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  permissions: ['clipboard-read', 'clipboard-write'],
};

async function measureStory(
  context: BrowserContext,
  input: UserInput,
  story: { readonly url: string; readonly name: string },
) {
  const startedAt = performance.now();
  const { errors } = await playStory(context, input, story);
  return { ms: performance.now() - startedAt, errors, uses: input.uses };
}
