import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createAdaptorServer } from '@hono/node-server';
import type { AppContext } from '../app.ts';
import type { GraphqlServer } from '../graphql/context.ts';
import { createGraphqlHandler } from '../graphql/handler.ts';
import { EventFeeds } from '../graphql/live/event-feeds.ts';
import { SlowReaders } from '../graphql/live/slow-readers.ts';
import { StreamCounts } from '../graphql/live/stream-counts.ts';
import { createGraphqlSockets } from '../graphql/websocket.ts';
import { trustedProxies } from './caller-address.ts';
import { KeyUse } from './key-use.ts';
import { KeyWatch } from './key-watch.ts';
import { createRateLimits } from './rate-limits.ts';
import { createRouter, MAX_BODY_BYTES } from './router.ts';

export interface Api {
  readonly port: number;
  /** Where this process listens; what the outside calls it is `config.publicUrl`. */
  readonly url: string;
  /** Takes no more requests, ends the live streams, and lets the requests that are under way finish. */
  close(): Promise<void>;
}

/** How long requests that are under way may take to finish when the server closes. */
const CLOSE_WITHIN_MS = 7_000;
/** How often connections are looked for that have nothing more to say. */
const IDLE_EVERY_MS = 20;

/** Serves REST, GraphQL and its live updates, and the public pages, on one port. */
export async function startApi(ctx: AppContext): Promise<Api> {
  const graphql: GraphqlServer = {
    app: ctx,
    limits: await createRateLimits(ctx),
    proxies: trustedProxies(ctx.config.trustedProxies),
    keyUse: new KeyUse(ctx),
    keyWatch: new KeyWatch(ctx),
    openStreams: new Set(),
    streamCounts: new StreamCounts(),
    eventFeeds: new EventFeeds(ctx),
    slowReaders: new SlowReaders(ctx.log),
  };
  const yoga = createGraphqlHandler(graphql);
  const sockets = createGraphqlSockets(graphql, yoga, MAX_BODY_BYTES);
  const router = createRouter(graphql, yoga);
  const server = createAdaptorServer({ fetch: router.fetch }) as Server;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Not by URL: it throws at some of what strangers send.
    if (request.url?.split('?', 1)[0] === '/graphql') return sockets.handleUpgrade(request, socket, head);
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  const { port } = await listen(server, ctx.config).catch(async (error) => {
    await closeShared(graphql);
    throw error;
  });
  ctx.log.info({ port }, 'API listening');
  let closed: Promise<void> | undefined;
  return {
    port,
    url: `http://${ctx.config.host.includes(':') ? `[${ctx.config.host}]` : ctx.config.host}:${port}`,
    close() {
      closed ??= close(server, sockets, graphql);
      return closed;
    },
  };
}

async function listen(server: Server, { host, port }: AppContext['config']): Promise<AddressInfo> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, host, resolve);
  await promise;
  server.off('error', reject);
  return server.address() as AddressInfo;
}

async function close(
  server: Server,
  sockets: ReturnType<typeof createGraphqlSockets>,
  graphql: GraphqlServer,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  const late = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
  await sockets.close();
  for (const end of graphql.openStreams) end();
  // A connection whose last answer is through would else be kept open for the next request.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_EVERY_MS);
  await promise;
  clearInterval(idle);
  clearTimeout(late);
  await closeShared(graphql);
}

async function closeShared({ limits, keyUse, keyWatch }: GraphqlServer): Promise<void> {
  await Promise.all([limits.close(), keyUse.close(), keyWatch.close()]);
}
