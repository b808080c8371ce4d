import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { graphqlReference } from '../../site/graphql-reference.ts';
import { anchorsOf, type Page, readPages, replaceLinks, targetOf } from '../../site/pages.ts';
import { withHeadersOnce } from '../../site/rest-reference.ts';
import { sidebar } from '../../site/sidebar.ts';

const ROOT = new URL('../../', import.meta.url);
const pages = await readPages();
const reference = graphqlReference(await readFile(new URL('schema.graphql', ROOT), 'utf8')).map(
  (page): Page => ({ ...page, file: `docs/${page.slug}.md` }),
);
const everyPage = [...pages, ...reference];

/** Returns the links of a page that have no target. */
function deadLinks(page: Page): string[] {
  const dead: string[] = [];
  replaceLinks(page.body, (_, link) => {
    const target = targetOf(page, link, everyPage);
    const isDead =
      target?.kind === 'missing' ||
      (target?.kind === 'page' && target.anchor !== '' && !anchorsOf(target.page).has(target.anchor));
    if (isDead) dead.push(link);
    return '';
  });
  return dead;
}

it('every link of the README has a target', async () => {
  const body = await readFile(new URL('README.md', ROOT), 'utf8');
  expect(body).toContain('](docs/');
  expect(deadLinks({ ...(pages[0] as Page), file: 'README.md', body })).toEqual([]);
});

it.each(everyPage.map((page) => [page.file, page] as const))('every link of %s has a target', (_, page) => {
  expect(deadLinks(page)).toEqual([]);
});

it('finds links without a target', () => {
  const [page] = pages;
  const body =
    'See [a](gone.md), [`b[0]`](README.md#gone) and [c](README.md#guides).\n\n```md\n[d](gone.md)\n```\n';
  expect(deadLinks({ ...(page as Page), file: 'docs/x.md', body })).toEqual(['gone.md', 'README.md#gone']);
});

it.each(pages.filter(({ file }) => !file.includes('/decisions/')).map((page) => [page.file, page] as const))(
  '%s begins with a title and a paragraph that says what it is about',
  (_, { title, description }) => {
    expect(title).not.toBe('');
    expect(description.length).toBeGreaterThan(20);
    expect(description.length).toBeLessThan(300);
  },
);

it('the navigation of the site has every page once', () => {
  const slugs = (items: readonly unknown[]): string[] =>
    items.flatMap((item) => {
      if (typeof item === 'string') return [item];
      const { slug, items: children } = item as { slug?: string; items?: readonly unknown[] };
      return slug === undefined ? slugs(children ?? []) : [slug];
    });
  const listed = slugs(sidebar(pages, []));
  const expected = everyPage.map(({ slug }) => slug.replace('/README', ''));
  expect(listed.toSorted()).toEqual(expected.filter((slug) => slug !== '').toSorted());
});

it('the GraphQL reference has all operations, with errors and scope', () => {
  const mutations = reference.find(({ slug }) => slug === 'graphql/mutations');
  expect(mutations?.body).toContain('## createPlan\n');
  expect(mutations?.body).toContain('Needs the scope `write`.');
  expect(mutations?.body).toContain('**Errors:** `authentication_error`;');
  const body = reference.map((page) => page.body).join('\n');
  for (const field of ['subscriptionCounts', 'paymentRecorded', 'advanceTestClock']) {
    expect(body).toContain(`## ${field}\n`);
  }
  expect(body).not.toMatch(/undefined|\[object/);
});

it('no page of objects in the GraphQL reference has more than 100 fields', () => {
  const objects = reference.filter(({ slug }) => slug.startsWith('graphql/objects'));
  const fields = objects.map(({ body }) => body.match(/^\| `/gm)?.length ?? 0);
  expect(fields.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(300);
  expect(Math.max(...fields)).toBeLessThanOrEqual(100);
});

it('the REST reference has headers of all responses only at the first response', () => {
  const limit = { description: 'The limit.' };
  const retry = { description: 'When to retry.' };
  const operation = (description: string | undefined, second: object, third: object) => ({
    paths: {
      '/a': { get: { description, responses: { 200: { headers: { limit } }, 400: second, 429: third } } },
    },
  });
  expect(withHeadersOnce(operation('Reads.', { headers: { limit } }, { headers: { limit, retry } }))).toEqual(
    operation(
      'Reads.\n\nEvery response has the headers that the first one lists.',
      {},
      { headers: { retry } },
    ),
  );
  const differs = operation(undefined, { headers: { limit: retry } }, { headers: { limit } });
  expect(withHeadersOnce(differs)).toEqual(differs);
});
