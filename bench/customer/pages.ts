import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Cookie } from 'playwright-core';
import { startApi } from '../../src/api/server/server.ts';
import { createPortalSession } from '../../src/domain/portal/portal-link.ts';
import { measureLighthouse } from '../../tools/lighthouse.ts';
import { buyWithSolanaPay, openCheckout } from './buys.ts';
import { ENOUGH } from './figures.ts';
import type { CustomerWorld } from './world.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

/** Measures the pages that customers see: their size, and the scores of Lighthouse. */
export async function measurePages(world: CustomerWorld, executablePath: string) {
  await using closing = new AsyncDisposableStack();
  const portal = await startPortal(world, closing);
  const sizes = await measureSizes(world);
  return { ...sizes, lighthouse_min: await measureWorstScore(world, executablePath, portal) };
}

interface Portal {
  readonly url: string;
  /** The cookies of a customer who is signed in. */
  readonly cookies: readonly Cookie[];
}

/** Starts an API whose public URL is its own, and signs a customer in to its portal. */
async function startPortal(world: CustomerWorld, closing: AsyncDisposableStack): Promise<Portal> {
  const config = { ...world.ctx.config };
  const api = await startApi({ ...world.ctx, config });
  closing.defer(() => api.close());
  Object.assign(config, { publicUrl: api.url });
  const { subscription } = await buyWithSolanaPay(world);
  const input = { customer: subscription.customerId };
  const { url } = await createPortalSession({ ...world.ctx, config }, world.seller.scope, input);
  const response = await fetch(`${api.url}/api/portal/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: api.url },
    body: JSON.stringify({ token: url.split('=').at(-1), confirmed: true }),
  });
  const [name = '', value = ''] = response.headers.getSetCookie().at(-1)?.split(';')[0]?.split('=') ?? [];
  const cookie = { name, value, domain: new URL(api.url).hostname, path: '/', expires: -1 };
  const cookies = [{ ...cookie, httpOnly: true, secure: false, sameSite: 'Strict' } as const];
  return { url: api.url, cookies };
}

/** The size of what a browser loads first, in kB after gzip. */
async function measureSizes(world: CustomerWorld) {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'web']);
  const [, portal] = /\bportal built, first load ([\d.]+) kB gz/.exec(stdout) ?? [];
  if (portal === undefined) throw new Error(`The portal was not built:\n${stdout}`);
  const { checkout, link } = await createPublicUrls(world);
  const read = async (url: string | URL) => Buffer.from(await (await fetch(url)).arrayBuffer());
  const kilobytes = async (url: string) => {
    const page = await read(url);
    const scripts = Array.from(page.toString().matchAll(/<script [^>]*src="([^"]+)"/g), ([, source = '']) =>
      read(new URL(source, url)),
    );
    const bytes = [page, ...(await Promise.all(scripts))].map((file) => gzipSync(file).length);
    return Number((bytes.reduce((total, size) => total + size, 0) / 1_000).toFixed(1));
  };
  return {
    portal_kb: Number(portal),
    checkout_kb: await kilobytes(checkout),
    link_kb: await kilobytes(link),
  };
}

/** Opens a checkout. Returns its URL and that of the payment link. */
async function createPublicUrls(world: CustomerWorld) {
  const { api, seller } = world;
  const sessionId = await openCheckout(world);
  return { checkout: `${api.url}/checkout/${sessionId}`, link: `${api.url}/pay/${seller.link.id}` };
}

/** The lowest Lighthouse score of four pages, for phones and desktops. */
async function measureWorstScore(
  world: CustomerWorld,
  executablePath: string,
  portal: Portal,
): Promise<number> {
  const { checkout, link } = await createPublicUrls(world);
  // Search engines must not list pages of one customer.
  const privateSkips = ['is-crawlable'];
  // Lighthouse fetches robots.txt from within the page, whose content security policy forbids it.
  const linkSkips = ['robots-txt'];
  const visits = [
    { url: link, cookies: [], skippedAudits: linkSkips },
    { url: checkout, cookies: [], skippedAudits: privateSkips },
    { url: `${portal.url}/portal`, cookies: [], skippedAudits: privateSkips },
    { url: `${portal.url}/portal`, cookies: portal.cookies, skippedAudits: privateSkips },
  ];
  const allScores: number[] = [];
  for (const visit of visits) {
    const scores = await measureLighthouse({
      ...visit,
      executablePath,
      categories: CATEGORIES,
      enough: ENOUGH,
    });
    console.log(`lighthouse ${visit.url}: ${JSON.stringify(scores)}`);
    allScores.push(...Object.values(scores).flatMap((categoryScores) => Object.values(categoryScores)));
  }
  return Math.min(...allScores);
}
