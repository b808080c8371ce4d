// `npm run check` in site/: looks at every page of the built site in Chromium, as the API serves it, and fails for a dead
// link, a finding of axe, a violation of the policy, or a question of questions.ts that is not answered by the first three
// hits of the search. The last line has the figures.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { Page } from 'playwright-core';
import { routeDocsSite } from '../src/api/static/docs-site.ts';
import { findChromium, startChromium } from '../tools/chromium.ts';
import { QUESTIONS, RANKING } from './questions.ts';

const BASE = '/docs/';
const FIRST_HITS = 3;
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const router = new Hono();
routeDocsSite(router as never);
const server = serve({ fetch: router.fetch, port: 0, hostname: '127.0.0.1' });
await new Promise((resolve) => server.once('listening', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const chromium = findChromium();
if (!chromium) throw new Error('Chromium is missing.');
const browser = await startChromium(chromium);
const problems: string[] = [];
try {
  const visited = await visitAll(await browser.newPage());
  const dead = deadLinks(visited);
  const unanswered = await unansweredQuestions(await browser.newPage());
  problems.push(...dead, ...unanswered);
  for (const problem of problems) console.log(problem);
  const findings = await axeFindings([...visited.keys()]);
  for (const finding of findings) console.log(finding);
  problems.push(...findings);
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
  server.close();
}
if (problems.length > 0) process.exitCode = 1;

interface Visited {
  readonly status: number;
  readonly ids: ReadonlySet<string>;
  /** Where its links lead on this site, with their anchors. */
  readonly links: readonly string[];
}

/** Follows every link of the site, from its start page. */
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
    visited.set(path, { status: response?.status() ?? 0, ids: new Set(ids), links: inside });
    const next = inside.map((link) => link.split('#')[0] ?? '').filter((link) => /^\/docs\/.*\/$/.test(link));
    waiting.push(...new Set(next.filter((link) => !visited.has(link))));
  }
  return visited;
}

function deadLinks(visited: ReadonlyMap<string, Visited>): string[] {
  const dead = [...visited].flatMap(([from, { links }]) =>
    links.flatMap((link) => {
      const [path = '', anchor = ''] = link.split('#');
      const page = visited.get(path);
      // A file, such as the Markdown of a page or /openapi.json, is no page.
      if (!page)
        return path.endsWith('.md') || path === '/openapi.json' ? [] : [`dead link: ${from} -> ${link}`];
      const isThere = page.status === 200 && (anchor === '' || page.ids.has(decodeURIComponent(anchor)));
      return isThere ? [] : [`dead link: ${from} -> ${link}`];
    }),
  );
  return [...new Set(dead)];
}

/** Runs axe on every page, in both themes. */
async function axeFindings(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, bypassCSP: true });
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(origin + path);
      await page.evaluate(axe);
      const violations = await page.evaluate(async () => {
        const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
        return violations.map(({ id, nodes }) => `${id} on ${nodes.length}: ${nodes[0]?.target.join(' ')}`);
      });
      found.push(...violations.map((each) => `axe: ${path} (${colorScheme}): ${each}`));
    }
    await context.close();
  }
  return found;
}

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }>;
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
