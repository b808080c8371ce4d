/** The files of the dashboard, as a browser receives them. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBuiltFiles } from '../../src/api/static/built-files.ts';
import { routeDashboard } from '../../src/api/static/dashboard.ts';
import { type ApiWorld, startApiWorld } from './world.ts';

const SCRIPT = 'console.log("dues");'.repeat(100);

/** A server of only the dashboard. */
async function serveDashboard(options: Parameters<typeof routeDashboard>[1]) {
  const router = new Hono();
  router.onError((error, c) => c.text(error.message, 404));
  routeDashboard(router as never, options);
  const server = serve({ fetch: router.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise<void>((resolve) => server.once('listening', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return { url, close: () => void server.close() };
}

describe('the files of a build', () => {
  let parent: string;
  let folder: string;
  let url: string;
  let close: () => void;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'dues-web-'));
    folder = join(parent, 'built');
    await mkdir(join(folder, 'assets'), { recursive: true });
    await writeFile(join(parent, 'secret.txt'), 'secret');
    const shell = '<!doctype html><head></head><div id="app"></div>';
    await writeFile(join(folder, 'index.html'), shell);
    await writeFile(join(folder, 'favicon.svg'), '<svg/>');
    await writeFile(join(folder, 'assets', 'index-abc.js'), SCRIPT);
    await writeFile(join(folder, 'assets', 'index-abc.js.br'), brotliCompressSync(SCRIPT));
    ({ url, close } = await serveDashboard({ folder }));
  });
  afterAll(async () => {
    close();
    await rm(parent, { recursive: true });
  });

  it('are cached for a year if their name contains a hash of their content', async () => {
    const answer = await fetch(`${url}/dashboard/assets/index-abc.js`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await answer.text()).toBe(SCRIPT);
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', null],
    ['br;q=0, gzip', null],
    ['', null],
  ])('are sent compressed as the client accepts: %s', async (accepted, encoding) => {
    const answer = await fetch(`${url}/dashboard/assets/index-abc.js`, {
      headers: { 'accept-encoding': accepted },
    });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(await answer.text()).toBe(SCRIPT);
  });

  it.each(['', '/', '/test', '/test/plans/pro', '/index.html'])(
    'open the page at /dashboard%s',
    async (path) => {
      const answer = await fetch(`${url}/dashboard${path}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-security-policy')).toContain(
        "default-src 'none'; script-src 'self'",
      );
      expect(answer.headers.get('content-security-policy')).not.toContain('unsafe');
      expect(await answer.text()).toContain('id="app"');
    },
  );

  it.each([
    '/dashboard/assets/index-old.js',
    '/dashboard/assets/..%2f..%2fsecret.txt',
    '/dashboard/assets/index-abc.js.br',
  ])('do not exist at %s', async (path) => {
    const answer = await fetch(url + path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('secret');
  });

  it('load a wallet script of the configuration, with its origin in the policy', async () => {
    const walletScript = 'http://127.0.0.1:8899/wallet.js?a="b"&c';
    const served = await serveDashboard({ folder, walletScript });
    const answer = await fetch(`${served.url}/dashboard/test/plans`);
    served.close();
    expect(await answer.text()).toContain(
      '<script type="module" src="http://127.0.0.1:8899/wallet.js?a=&quot;b&quot;&amp;c"></script></head>',
    );
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("; script-src 'self' http://127.0.0.1:8899; ");
    expect(policy).toContain("; connect-src 'self' http://127.0.0.1:8899; ");
  });

  it('are served from their folder only', async () => {
    const answer = await fetch(`${url}/dashboard/..%2fsecret.txt`);
    expect(await answer.text()).toContain('id="app"');
  });
});

it('reports a dashboard that is not built', async () => {
  expect(readBuiltFiles(join(tmpdir(), 'dues-no-such-folder')).size).toBe(0);
  const { url, close } = await serveDashboard({ folder: join(tmpdir(), 'dues-no-such-folder') });
  const answer = await fetch(`${url}/dashboard`);
  close();
  expect(answer.status).toBe(404);
  expect(await answer.text()).toBe('The dashboard is not built here. Run: npm run web\n');
});

describe('on the API', () => {
  let world: ApiWorld;
  beforeAll(async () => {
    world = await startApiWorld();
  });
  afterAll(() => world.close());

  it('needs no key and does not count towards a limit', async () => {
    const { status, headers } = await world.request('GET', '/dashboard', { key: 'dues_test_wrong' });
    expect([200, 404]).toContain(status);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-ratelimit-limit')).toBeNull();
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(['/', '/checkout/none', '/pay/none', '/docs/', '/portal/', '/dashboard'])(
    'every page names its icon, which exists: %s',
    async (path) => {
      const page = await fetch(world.api.url + path, { headers: { accept: 'text/html' } });
      // A page that is not built is text.
      if (!page.headers.get('content-type')?.startsWith('text/html')) return;
      const [, href = ''] = /<link rel="(?:shortcut )?icon" href="([^"]+)"/.exec(await page.text()) ?? [];
      const icon = await fetch(new URL(href, page.url));
      expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    },
  );
});
