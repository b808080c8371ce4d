/** The documentation, as a browser receives it. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeDocsSite } from '../../src/api/static/docs-site.ts';

const INLINE = 'document.documentElement.dataset.theme = "dark";';
const PAGE = `<!doctype html><script>${INLINE}</script><script src="/docs/_astro/a.js"></script><p>Five minutes`;
const HASH = createHash('sha256').update(INLINE).digest('base64');

/** A small documentation. Its start page names the guide first. */
const DOCS = {
  'README.md': `# Start

About [the API](api.md).

![A picture](pictures/overview.webp)

## Three ways in

- **[The API](api.md)** for backends

  ~~~js
  await checkout();
  ~~~

## Guides

- [X](guides/x.md)

## Reference

| page | |
| --- | --- |
| [API](api.md#errors) | all |
`,
  'api.md': `# The \`API\`

<script>alert(1)</script>

A <b>word</b> & [code](../src/app.ts), [\`app.ts\`](../src/app.ts), [bad](javascript:alert)

## Errors

\`\`\`js title="a<b.mjs"
const a = '</code><script>';
\`\`\`
`,
  'guides/x.md': '# X\n\n## Errors\n\n## Errors\n\n[Errors](../api.md#errors), [here](#errors-1)\n',
  'left.md': '# Left\n',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dues-site-'));
  await mkdir(join(folder, 'site', 'guides'), { recursive: true });
  await mkdir(join(folder, 'site', '_astro'));
  await mkdir(join(folder, 'site', 'pagefind'));
  await writeFile(join(folder, 'site', 'pagefind', 'wasm.en.pagefind'), 'wasm');
  await mkdir(join(folder, 'docs', 'guides'), { recursive: true });
  await writeFile(join(folder, 'site', 'index.html'), '<!doctype html><p>Start');
  await writeFile(join(folder, 'site', '404.html'), '<!doctype html><p>No such page');
  await writeFile(join(folder, 'site', 'guides', 'index.html'), PAGE);
  await writeFile(join(folder, 'site', 'guides.md'), '# Guides');
  await writeFile(join(folder, 'site', '_astro', 'a.B1c2.js'), 'let a');
  await writeFile(join(folder, 'secret.md'), '# Outside');
  await mkdir(join(folder, 'docs', 'pictures'));
  await writeFile(join(folder, 'docs', 'pictures', 'overview.webp'), 'picture');
  for (const [file, text] of Object.entries(DOCS)) await writeFile(join(folder, 'docs', file), text);
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts a server of only the documentation. */
async function serveDocs(site: string, sources?: string) {
  const router = new Hono();
  router.onError((error, c) => c.text(error.message, 404));
  routeDocsSite(router as never, { folder: join(folder, site), ...(sources && { sources }) });
  const server = serve({ fetch: router.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    request: (path: string) => fetch(`http://127.0.0.1:${port}${path}`),
    close: () => server.close(),
  };
}

let site: Awaited<ReturnType<typeof serveDocs>>;
let unbuilt: typeof site;
let ours: typeof site;
let absent: typeof site;
beforeAll(async () => {
  site = await serveDocs('site', join(folder, 'docs'));
  unbuilt = await serveDocs('unbuilt', join(folder, 'docs'));
  ours = await serveDocs('unbuilt');
  absent = await serveDocs('unbuilt', join(folder, 'absent'));
});
afterAll(() => {
  for (const server of [site, unbuilt, ours, absent]) server.close();
});

describe('the built site', () => {
  it.each([
    ['/docs', 'Start'],
    ['/docs/', 'Start'],
    ['/docs/guides/', 'Five minutes'],
    ['/docs/guides', 'Five minutes'],
  ])('opens at %s', async (path, text) => {
    const answer = await site.request(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toContain(text);
  });

  it('runs only the inline scripts that a page has, by their hash', async () => {
    const policies = await Promise.all(
      ['/docs/guides/', '/docs/'].map(async (path) => {
        const { headers } = await site.request(path);
        return headers.get('content-security-policy') ?? '';
      }),
    );
    expect(policies[0]).toContain(`script-src 'self' 'wasm-unsafe-eval' 'sha256-${HASH}';`);
    expect(policies[1]).toContain("script-src 'self' 'wasm-unsafe-eval';");
    for (const policy of policies) expect(policy).toMatch(/^default-src 'none'; .*; frame-ancestors 'none'$/);
  });

  it('lets hashed files be cached for a year, and serves Markdown as text', async () => {
    const hashed = await site.request('/docs/_astro/a.B1c2.js');
    expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const search = await site.request('/docs/pagefind/wasm.en.pagefind');
    expect(search.headers.get('content-type')).toBe('application/octet-stream');
    const markdown = await site.request('/docs/guides.md');
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await markdown.text()).toBe('# Guides');
  });

  it.each(['/docs/gone', '/docs/..%2fdocs%2fapi.md', '/docs/../docs/api.md'])(
    'answers a missing path with the 404 page: %s',
    async (path) => {
      const answer = await site.request(path);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('No such page');
    },
  );
});

describe('a site that is not built', () => {
  const textOf = async (path: string) => (await unbuilt.request(path)).text();

  it('shows pages without a script, and says how to build the site', async () => {
    const answer = await unbuilt.request('/docs');
    expect(answer.status).toBe(200);
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'/);
    expect(policy).not.toMatch(/script-src|unsafe/);
    const text = await answer.text();
    expect(text).toContain('npm run site');
    expect(text).toContain('href="/openapi.json"');
    expect(text).not.toContain('<script');
  });

  it('has the pages in the order of README.md, and those that it does not name last', async () => {
    const text = await textOf('/docs/');
    const pages = text.slice(text.indexOf('<nav id="pages"'));
    const listed = [...pages.matchAll(/<h2>(.+?)<\/h2>|href="([^"]+)"/g)].map(
      (found) => found[1] ?? found[2],
    );
    expect(listed).toEqual([
      ...['Guides', '/docs/guides/x/'],
      ...['Reference', '/docs/api/'],
      ...['More', '/docs/left/'],
    ]);
    expect(await textOf('/docs/api/')).toMatch(
      /Before: <a href="\/docs\/guides\/x\/">X<\/a>[\s\S]*Next: <a href="\/docs\/left\/">Left<\/a>/,
    );
  });

  it('starts with a picture and the ways in, and keeps the order of the pages', async () => {
    const text = await textOf('/docs/');
    expect(text).toContain('<img src="/docs/pictures/overview.webp" alt="A picture">');
    expect(text).toMatch(/<h2 id="three-ways-in">Three ways in<\/h2>\s*<ul>\s*<li>[\s\S]*?<pre/);
    const picture = await unbuilt.request('/docs/pictures/overview.webp');
    expect(picture.headers.get('content-type')).toBe('image/webp');
  });

  it('shows HTML as text, and files outside of the documentation as their paths', async () => {
    const text = await textOf('/docs/api');
    expect(text).toContain('<title>The API | dues</title>');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain(
      'A &lt;b&gt;word&lt;/b&gt; &amp; code (<code>src/app.ts</code>), <code>src/app.ts</code>,',
    );
    expect(text).toContain('bad (');
    expect(text).toContain('<p class="file">a&lt;b.mjs</p>');
    expect(text).toContain('&lt;/code&gt;&lt;script&gt;');
    expect(text).not.toMatch(/<script|href="javascript/);
  });

  it('serves the Markdown, and nothing outside of its folder', async () => {
    const markdown = await unbuilt.request('/docs/guides/x.md');
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await markdown.text()).toBe(DOCS['guides/x.md']);
    for (const path of [
      '../secret.md',
      '..%2fsecret.md',
      'guides/..%2f..%2fsecret.md',
      '..%5csecret.md',
      'guides/',
    ]) {
      expect((await unbuilt.request(`/docs/${path}`)).status, path).toBe(404);
    }
  });

  it('says so if the installation has no documentation', async () => {
    const answer = await absent.request('/docs');
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('The documentation is not here');
  });
});

describe('our documentation without the built site', () => {
  it('has only links that lead somewhere', async () => {
    const pages = new Map<string, string>();
    const links: [from: string, link: string][] = [];
    const waiting = ['/docs/'];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (pages.has(path)) continue;
      const answer = await ours.request(path);
      pages.set(path, answer.ok ? await answer.text() : '');
      for (const [, href = ''] of (pages.get(path) ?? '').matchAll(/(?:href|src)="([^"]*)"/g)) {
        const link = href.startsWith('#') ? path + href : href;
        if (!link.startsWith('/docs/')) continue;
        links.push([path, link]);
        waiting.push(link.split('#')[0] ?? '');
      }
    }
    const dead = links.filter(([, link]) => {
      const [path = '', anchor] = link.split('#');
      const page = pages.get(path);
      return !page || (anchor !== undefined && !page.includes(` id="${anchor}"`));
    });
    expect(dead).toEqual([]);
    expect(links.length).toBeGreaterThan(1_000);
  });

  it('names every page in README.md or in the README.md of its folder', async () => {
    expect(await (await ours.request('/docs')).text()).not.toContain('<h2>More</h2>');
  });
});
