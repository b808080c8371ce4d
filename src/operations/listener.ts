import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AppContext } from '../app.ts';
import { Gauges } from './gauges.ts';
import { checkReadiness } from './health.ts';
import type { Role } from './role.ts';

export interface Operations {
  readonly port: number;
  /** Not ready any more, from now on: no more work is to be sent here. */
  stopping(): void;
  close(): Promise<void>;
}

/**
 * Serves `/health/live`, `/health/ready` and `/metrics` to operators, where `METRICS_PORT` is set. It has no key: it listens
 * on this machine only, unless `METRICS_HOST` names another address.
 */
export async function startOperations(
  ctx: AppContext,
  roles: readonly Role[],
): Promise<Operations | undefined> {
  const { operations } = ctx.config;
  if (!operations) return undefined;
  const gauges = new Gauges(ctx, roles);
  let isStopping = false;
  const answers: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
    '/health/live': async (response) => json(response, 200, { status: 'live', roles }),
    '/health/ready': async (response) => {
      const checks = await checkReadiness(ctx, roles);
      const isReady = !isStopping && Object.values(checks).every(({ ok }) => ok);
      const status = isReady ? 'ready' : isStopping ? 'stopping' : 'not ready';
      json(response, isReady ? 200 : 503, { status, roles, checks });
    },
    '/metrics': async (response) => {
      const text = await gauges.scrape();
      response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
    },
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url?.split('?', 1)[0] ?? ''];
    if (!answer) return json(response, 404, { status: 'no such page' });
    if (request.method !== 'GET') return json(response, 405, { status: 'only GET' });
    answer(response).catch((err: unknown) => {
      ctx.log.error({ err }, 'operations request failed');
      if (!response.headersSent) json(response, 500, { status: 'failed' });
    });
  });
  const { port } = await listen(server, operations);
  ctx.log.info({ metricsPort: port, roles }, 'metrics and health');
  return {
    port,
    stopping() {
      isStopping = true;
    },
    close: () => close(server),
  };
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, host, resolve);
  await promise;
  server.off('error', reject);
  return server.address() as AddressInfo;
}

async function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  // Nobody needs the end of a scrape.
  server.closeAllConnections();
  await promise;
}
