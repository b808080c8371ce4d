// `npm run check` in site/: looks at every page of the built site in Chromium, as the API serves it, on a phone and on a
// desktop, in both themes. It fails for a dead link, a finding of axe, a page that scrolls sideways, a violation of the
// policy, or a question of questions.ts that is not answered by the first three hits of the search. The last line has the
// figures.
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
  const violations = problems.filter((each) => each.startsWith('policy')).length;
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
  /** Where its links lead on this site, with their anchors. */
  readonly links: readonly string[];
  readonly findings: readonly string[];
}

/** Follows every link of the site, from its start page, and looks at each page. */
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
      .evaluateAll((elements) => elements.map((each) => (each as HTMLElement & { href: string }).href));
    const inside = links.filter((link) => link.startsWith(origin)).map((link) => link.slice(origin.length));
    const findings = (await axeFindings(page, LOOKS)).map((each) => `axe: ${path} ${each}`);
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
      const isThere = page
        ? page.status === 200 && (anchor === '' || page.ids.has(decodeURIComponent(anchor)))
        : !missing.has(path);
      return isThere ? [] : [`dead link: ${from} -> ${link}`];
    }),
  );
  return [...new Set(dead)];
}

/** Links to what is no page, such as the Markdown of one, that are not answered. */
async function missingFiles(visited: ReadonlyMap<string, Visited>): Promise<string[]> {
  const linked = [...visited.values()].flatMap(({ links }) => links.map((link) => link.split('#')[0] ?? ''));
  // The API's own description is not of the site.
  const files = new Set(linked.filter((path) => !visited.has(path) && path !== '/openapi.json'));
  const missing: string[] = [];
  for (const path of files) if (!(await fetch(origin + path)).ok) missing.push(path);
  return missing;
}

async function unansweredQuestions(page: Page): Promise<string[]> {
  await page.goto(origin + BASE);
  const unanswered: string[] = [];
  for (const [words, ...pages] of QUESTIONS) {
    const hits = await page.evaluate(
      async ({ words, count, module, ranking }) => {
        const pagefind = await import(module);
        await pagefind.options({ ranking });
        const { results } = await pagefind.search(words);
        const first = await Promise.all(
          results.slice(0, count).map((each: { data(): unknown }) => each.data()),
        );
        return first.map(({ url }: { url: string }) => url);
      },
      { words, count: FIRST_HITS, module: `${BASE}pagefind/pagefind.js`, ranking: RANKING },
    );
    const slugs = hits.map((url: string) => url.replace(BASE, '').replace(/\/$/, ''));
    if (!pages.some((each) => slugs.includes(each))) {
      unanswered.push(`unanswered: “${words}” finds ${slugs.join(', ') || 'nothing'}`);
    }
  }
  return unanswered;
}
