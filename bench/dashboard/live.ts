import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import type { MemberClient } from '../../tools/dashboard/member-client.ts';
import { percentile } from '../lib/statistics.ts';

const PER_SECOND = 20;
const TIMED_EVENTS = 200;
const CUT_EVENTS = 1_000;
const CUTS = 50;
const WAIT_MS = 60_000;
/** Open tabs beside the one whose socket is cut. */
const OTHER_TABS = 4;

const TRIGGER = 'mutation { triggerEvent(type: "subscription.payment_succeeded") { id } }';

/** Records sample events at a steady rate. Returns their ids and the time of each request. */
async function triggerEvents({ ask }: MemberClient, count: number, onEvent: (index: number) => unknown) {
  const requestedAt = new Map<string, number>();
  const requests: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < count; index += 1) {
    await wait(Math.max(0, startedAt + (index * 1_000) / PER_SECOND - performance.now()));
    onEvent(index);
    const at = Date.now();
    const request = ask<{ triggerEvent: { id: string } }>(TRIGGER).then(({ triggerEvent }) =>
      requestedAt.set(triggerEvent.id, at),
    );
    // `Promise.all` below throws the error. Until then it must not be an unhandled rejection.
    request.catch(() => undefined);
    requests.push(request);
  }
  await Promise.all(requests);
  return requestedAt;
}

interface Painted {
  readonly painted: Record<string, number>;
}

/** Runs in the page. Records when each event of the feed is painted. */
function watchFeed(): void {
  const page = globalThis as unknown as Painted & {
    document: { querySelectorAll(selector: string): Iterable<{ pathname: string }> };
    MutationObserver: new (callback: () => void) => { observe(node: object, options: object): void };
    requestAnimationFrame(next: () => void): void;
  };
  const painted: Record<string, number> = {};
  Object.assign(page, { painted });
  const recordPainted = () => {
    const links = [...page.document.querySelectorAll('ol a[href*="/events/"]')];
    const ids = links.map(({ pathname }) => pathname.split('/').at(-1) ?? '');
    const newIds = ids.filter((id) => painted[id] === undefined);
    for (const id of newIds) painted[id] = 0;
    // The timeout runs after the next frame is painted.
    page.requestAnimationFrame(() =>
      setTimeout(() => {
        for (const id of newIds) painted[id] = Date.now();
      }),
    );
  };
  recordPainted();
  new page.MutationObserver(recordPainted).observe(page.document, { subtree: true, childList: true });
}

async function openOverview(context: BrowserContext, { origin }: MemberClient): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${origin}/dashboard/test/`);
  await page.getByText('Live', { exact: true }).first().waitFor();
  await page.getByRole('figure').first().waitFor();
  return page;
}

/** Returns a function that reads the seconds of processor time of the page's main thread. */
async function trackMainThread(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0;
  };
}

/**
 * The time from the request that records an event to the painted feed, at 20 events a second, and
 * the work of the main thread for each.
 */
export async function measureLive(context: BrowserContext, member: MemberClient) {
  const page = await openOverview(context, member);
  await page.evaluate(watchFeed);
  const readSeconds = await trackMainThread(page);
  const before = await readSeconds();
  const requestedAt = await triggerEvents(member, TIMED_EVENTS, () => undefined);
  const last = [...requestedAt.keys()].at(-1) ?? '';
  await page.waitForFunction((id) => (globalThis as unknown as Painted).painted[id], last);
  const seconds = (await readSeconds()) - before;
  const painted = await page.evaluate(() => (globalThis as unknown as Painted).painted);
  const delays = [...requestedAt].flatMap(([id, at]) => (painted[id] ? [painted[id] - at] : []));
  await page.close();
  return {
    shown: delays.length,
    p50Ms: percentile(delays, 0.5),
    p99Ms: percentile(delays, 0.99),
    updateMs: (seconds * 1_000) / TIMED_EVENTS,
  };
}

/** The content of a page, without what differs in every load. */
async function readContent(page: Page) {
  return {
    feed: await page.locator('ol a[href*="/events/"]').evaluateAll((links) =>
      // Runs in the page.
      (links as unknown as { pathname: string }[]).map(({ pathname }) => pathname),
    ),
    charts: (await page.getByRole('figure').locator('svg').allInnerTexts()).join(),
    shapes: await page
      .getByRole('figure')
      .locator('svg :is(path, rect, circle)')
      .evaluateAll((shapes) =>
        // Runs in the page.
        (shapes as unknown as { getAttribute(name: string): string | null }[]).map((shape) =>
          ['d', 'x', 'y', 'width', 'height', 'cx', 'cy'].map((name) => shape.getAttribute(name)).join(),
        ),
      ),
  };
}

type Content = Awaited<ReturnType<typeof readContent>>;

function findDifferences(shown: Content, fresh: Content): string[] {
  return (['feed', 'charts', 'shapes'] as const).flatMap((part) => {
    const [before, after] = [JSON.stringify(shown[part]), JSON.stringify(fresh[part])];
    return before === after ? [] : [`${part}: ${before}`, `${part} of a fresh load: ${after}`];
  });
}

/** The requests that count against the merchant's limit now: those of the last minute. */
async function readLimitUsed(context: BrowserContext, { origin, ask }: MemberClient): Promise<number> {
  const { createApiKey } = await ask<{ createApiKey: { apiKey: string } }>(
    'mutation { createApiKey(name: "bench") { apiKey } }',
  );
  const response = await context.request.get(`${origin}/api/subscriptions?limit=1`, {
    headers: { authorization: `Bearer ${createApiKey.apiKey}` },
  });
  const headers = response.headers();
  const used = Number(headers['x-ratelimit-limit']) - Number(headers['x-ratelimit-remaining']);
  // This request is counted, too.
  return used - 1;
}

/**
 * Cuts the socket of a page 50 times while 1,000 events happen and a month passes, with five tabs
 * open. Returns the events that it received twice or never, whether it then shows what a fresh load
 * shows, and how many requests of the last minute count against the merchant's limit.
 */
export async function measureCuts(context: BrowserContext, member: MemberClient) {
  const received = new Map<string, number>();
  let cut: () => unknown = () => undefined;
  let cuts = 0;
  const cutPage = await context.newPage();
  await cutPage.routeWebSocket(/\/graphql$/, (socket) => {
    const server = socket.connectToServer();
    let isCut = false;
    cut = () => {
      isCut = true;
      return Promise.all([socket, server].map((side) => side.close({ code: 4_000, reason: 'cut' })));
    };
    socket.onMessage((message) => server.send(message));
    server.onMessage((message) => {
      // Messages in flight do not reach the page.
      if (isCut) return;
      const id = JSON.parse(String(message)).payload?.data?.events?.id;
      if (id) received.set(id, (received.get(id) ?? 0) + 1);
      socket.send(message);
    });
  });
  await cutPage.goto(`${member.origin}/dashboard/test/`);
  await cutPage.getByText('Live', { exact: true }).first().waitFor();
  await cutPage.getByRole('figure').first().waitFor();
  const tabs: Page[] = [];
  while (tabs.length < OTHER_TABS) tabs.push(await openOverview(context, member));
  const triggered = await triggerEvents(member, CUT_EVENTS, (index) => {
    if (index === CUT_EVENTS / 2) void moveTime(cutPage);
    if (index % (CUT_EVENTS / CUTS) !== CUT_EVENTS / CUTS - 1) return;
    cuts += 1;
    void cut();
  });
  const findMissing = () => [...triggered.keys()].filter((id) => !received.has(id));
  const deadline = performance.now() + WAIT_MS;
  while (findMissing().length > 0 && performance.now() < deadline) await wait(50);
  // The page reads the changes of the last events within a second.
  await wait(3_000);
  await cutPage.waitForLoadState('networkidle');
  const shown = await readContent(cutPage);
  const fresh = await openOverview(context, member);
  await fresh.waitForLoadState('networkidle');
  const differences = findDifferences(shown, await readContent(fresh));
  const used = await readLimitUsed(context, member);
  await Promise.all([cutPage, fresh, ...tabs].map((page) => page.close()));
  const doubles = [...received.values()].filter((count) => count > 1).length;
  return { cuts, gaps: findMissing().length, doubles, differences, limitUsed: used };
}

async function moveTime(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Advance time' }).click();
  await page.getByRole('button', { name: '1 month', exact: true }).click();
}
