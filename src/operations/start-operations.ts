import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AppContext } from '../app.ts';
import { shareResult } from '../async/share-result.ts';
import { ConfigError } from '../config/config-error.ts';
import type { Role } from '../config/role.ts';
import { VERSION } from '../config/version.ts';
import type { Environment } from '../generated/prisma/client.ts';
import { Gauges } from './gauges.ts';
import { checkReadiness, isReady } from './health.ts';
import { Liveness } from './liveness.ts';
import { TimedReads } from './timed-reads.ts';

/** Time for which a result of readiness and metrics is reused, whatever the number of requests. */
const REUSE_MS = 1_000;
const QUEUE_BOARD_PATH = '/queues';

export interface Operations {
  readonly port: number;
  /** Makes `/health/ready` answer 503 from now on, so that no more requests are routed here. */
  stopping(): void;
  close(): Promise<void>;
}

/**
 * Serves `/health/live`, `/health/ready` and `/metrics` to operators if `METRICS_PORT` is set.
 * They need no key, so only this machine can reach them unless `METRICS_HOST` names another
 * address. A worker also serves the job queue board, which has its own login.
 */
export async function startOperations(
  ctx: AppContext,
  roles: readonly Role[],
): Promise<Operations | undefined> {
  const { operations } = ctx.config;
  if (!operations) return undefined;
  const reads = new TimedReads();
  const readChecks = shareResult(() => checkReadiness(ctx, roles, reads), REUSE_MS);
  const gauges = new Gauges(ctx, roles, readChecks);
  const scrape = shareResult(() => gauges.scrape(), REUSE_MS);
  const liveness = new Liveness(() => ctx.db.$queryRaw`SELECT 1`);
  let isStopping = false;
  const sendReadiness = async (response: ServerResponse, only?: Environment) => {
    const checks = await readChecks();
    const isUp = !isStopping && isReady(checks, roles, only);
    const status = isUp ? 'ready' : isStopping ? 'stopping' : 'not ready';
    sendJson(response, isUp ? 200 : 503, { status, roles, checks });
  };
  const routes: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
    '/health/live': async (response) => {
      const isLive = liveness.isLive();
      const status = isLive ? 'live' : 'no database';
      sendJson(response, isLive ? 200 : 503, { status, version: VERSION, roles });
    },
    '/health/ready': (response) => sendReadiness(response),
    '/health/ready/test': (response) => sendReadiness(response, 'TEST'),
    '/health/ready/live': (response) => sendReadiness(response, 'LIVE'),
    '/metrics': async (response) => {
      const text = await scrape();
      response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
    },
  };
  const board = roles.includes('worker') ? await openQueueBoard(ctx) : undefined;
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    if (board && (path === QUEUE_BOARD_PATH || path.startsWith(`${QUEUE_BOARD_PATH}/`))) {
      board(request, response).catch((err: unknown) => ctx.log.error({ err }, 'queue board request failed'));
      return;
    }
    const route = routes[path];
    if (!route) return sendJson(response, 404, { status: 'no such page' });
    if (request.method !== 'GET') return sendJson(response, 405, { status: 'only GET is allowed' });
    route(response).catch((err: unknown) => {
      ctx.log.error({ err }, 'operations request failed');
      if (!response.headersSent) sendJson(response, 500, { status: 'failed' });
    });
  });
  const { port } = await listen(server, operations).catch((cause: NodeJS.ErrnoException) => {
    const { host, port } = operations;
    throw new ConfigError(
      `metrics and health cannot be served at ${host}:${port} (${cause.code}): choose another METRICS_PORT or METRICS_HOST`,
      { cause },
    );
  });
  ctx.log.info({ metricsPort: port, roles }, 'metrics and health served');
  return {
    port,
    stopping() {
      isStopping = true;
    },
    close: () => close(server),
  };
}

/** Bull Board and its web framework are loaded only where the board has a login. */
async function openQueueBoard({ config, jobs }: AppContext) {
  const login = config.operations?.queueBoard;
  if (!login) return undefined;
  const { queueBoard } = await import('./queue-board.ts');
  return queueBoard(jobs, login, QUEUE_BOARD_PATH);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
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
  // Ends the scrapes that are still running.
  server.closeAllConnections();
  await promise;
}
