// `npm run check` in site/: checks every page of the built site in Chromium, as the API serves it, at
// the widths of a phone and a desktop, in both themes. It fails for a dead link, a finding of axe, a
// page that scrolls sideways, a violation of the content security policy, or a question of
// questions.ts that none of the first three search hits answers. The last line has the counts.
import type { Page } from 'playwright-core';
import { axeFindings, type Look } from '../tools/axe.ts';
import { findChromium, startChromium } from '../tools/chromium.ts';
import { QUESTIONS, RANKING } from './questions.ts';
import { BASE, serveSite } from './serve.ts';

const FIRST_HITS = 3;
const LOOKS: readonly Look[] = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [320, 1440].map((width) => ({ colorScheme, width })),
);

const chromium = findChromium();
if (!chromium) throw new Error('Chromium is missing.');
const { origin, close } = await serveSite();
const browser = await startChromium(chromium);
const problems: string[] = [];
try {
  const visited = await visitAll(await browser.newPage());
  const dead = await deadLinks(visited);
  const unanswered = await unansweredQuestions(await browser.newPage());
  const findings = [...visited.values()].flatMap(({ findings }) => findings);
  problems.push(...dead, ...unanswered, ...findings);
  for (const problem of problems) console.log(problem);
  const violations = problems.filter((problem) => problem.startsWith('policy')).length;
  console.log(
    JSON.stringify({
      pages: visited.size,
      dead_links: dead.length,
      axe: findings.length,
      csp: violations,
      questions: QUESTIONS.length,
      unanswered: unanswered.length,
    }),
  );
} finally {
  await browser.close();
  close();
}
if (problems.length > 0) process.exitCode = 1;

interface Visited {
  readonly status: number;
  readonly ids: ReadonlySet<string>;
  /** The targets of its links on this site, with their anchors. */
  readonly links: readonly string[];
  readonly findings: readonly string[];
}

/** Follows every link of the site from its start page, and checks each page. */
async function visitAll(page: Page): Promise<Map<string, Visited>> {
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text()))
      problems.push(`policy: ${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`script: ${page.url()}: ${error.message}`));
  const visited = new Map<string, Visited>();
  const waiting = [BASE];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (visited.has(path)) continue;
    const response = await page.goto(origin + path);
    const ids = await page.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id));
    const links = await page
      .locator('a[href]')
      .evaluateAll((elements) => elements.map((element) => (element as HTMLElement & { href: string }).href));
    const inside = links.filter((link) => link.startsWith(origin)).map((link) => link.slice(origin.length));
    const findings = (await axeFindings(page, LOOKS)).map((finding) => `axe: ${path} ${finding}`);
    visited.set(path, { status: response?.status() ?? 0, ids: new Set(ids), links: inside, findings });
    const next = inside.map((link) => link.split('#')[0] ?? '').filter((link) => /^\/docs\/.*\/$/.test(link));
    waiting.push(...new Set(next.filter((link) => !visited.has(link))));
  }
  return visited;
}

async function deadLinks(visited: ReadonlyMap<string, Visited>): Promise<string[]> {
  const missing = new Set(await missingFiles(visited));
  const dead = [...visited].flatMap(([from, { links }]) =>
    links.flatMap((link) => {
      const [path = '', anchor = ''] = link.split('#');
      const page = visited.get(path);
      const isValid = page
        ? page.status === 200 && (anchor === '' || page.ids.has(decodeURIComponent(anchor)))
        : !missing.has(path);
      return isValid ? [] : [`dead link: ${from} -> ${link}`];
    }),
  );
  return [...new Set(dead)];
}

/** Finds linked files that do not exist, such as the Markdown of a page. */
async function missingFiles(visited: ReadonlyMap<string, Visited>): Promise<string[]> {
  const linked = [...visited.values()].flatMap(({ links }) => links.map((link) => link.split('#')[0] ?? ''));
  // The OpenAPI document is not part of the site.
  const files = new Set(linked.filter((path) => !visited.has(path) && path !== '/openapi.json'));
  const missing: string[] = [];
  for (const path of files) if (!(await fetch(origin + path)).ok) missing.push(path);
  return missing;
}

async function unansweredQuestions(page: Page): Promise<string[]> {
  await page.goto(origin + BASE);
  const unanswered: string[] = [];
  for (const [query, ...pages] of QUESTIONS) {
    const hits = await page.evaluate(
      async ({ query, count, module, ranking }) => {
        const pagefind = await import(module);
        await pagefind.options({ ranking });
        const { results } = await pagefind.search(query);
        const first = await Promise.all(
          results.slice(0, count).map((result: { data(): unknown }) => result.data()),
        );
        return first.map(({ url }: { url: string }) => url);
      },
      { query, count: FIRST_HITS, module: `${BASE}pagefind/pagefind.js`, ranking: RANKING },
    );
    const slugs = hits.map((url: string) => url.replace(BASE, '').replace(/\/$/, ''));
    if (!pages.some((slug) => slugs.includes(slug))) {
      unanswered.push(`unanswered: “${query}” finds ${slugs.join(', ') || 'nothing'}`);
    }
  }
  return unanswered;
}
