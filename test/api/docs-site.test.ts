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
  await writeFile(join(folder, 'docs', 'api.md'), '# The API');
  await writeFile(join(folder, 'docs', 'guides', 'x.md'), '# X');
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts a server of only the documentation. */
async function serveDocs(site: string) {
  const router = new Hono();
  router.onError((error, c) => c.text(error.message, 404));
  routeDocsSite(router as never, { folder: join(folder, site), sources: join(folder, 'docs') });
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
beforeAll(async () => {
  site = await serveDocs('site');
  unbuilt = await serveDocs('unbuilt');
});
afterAll(() => {
  site.close();
  unbuilt.close();
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
  it('says how to build it, and lists the Markdown', async () => {
    const answer = await unbuilt.request('/docs');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    const text = await answer.text();
    expect(text).toContain('npm run site');
    expect(text).toContain('href="/openapi.json"');
    expect(text).not.toContain('<script');
    for (const path of ['/docs/api.md', '/docs/guides/x.md']) expect(text).toContain(`href="${path}"`);
  });

  it('serves the Markdown, and nothing else', async () => {
    expect(await (await unbuilt.request('/docs/guides/x.md')).text()).toBe('# X');
    expect((await unbuilt.request('/docs/guides/')).status).toBe(404);
  });
});
