import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { routeDocsSite } from '../src/api/static/docs-site.ts';

/** The path of the start page. */
export const BASE = '/docs/';

/** Serves the built site in the same way as the API. */
export async function serveSite(): Promise<{ readonly origin: string; close(): void }> {
  const router = new Hono();
  routeDocsSite(router as never);
  const server = serve({ fetch: router.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}
