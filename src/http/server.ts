import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
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
import { MAX_BODY_BYTES } from './limit-body.ts';
import { createRateLimits } from './rate-limits.ts';
import { createRouter } from './router.ts';
import { answerUnparsed, answerUnread } from './unread-requests.ts';
import { answerPlainly, isHandshake } from './upgrade.ts';

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
  const router = createRouter(graphql, yoga);
  const server = createServer(
    // A client may offer other protocols with any request, and gets its answer by this one.
    { shouldUpgradeCallback: isHandshake, requireHostHeader: false },
    getRequestListener(router.fetch, { errorHandler: answerUnread(ctx.log) }),
  );
  const sockets = createGraphqlSockets(graphql, yoga, {
    maxPayload: MAX_BODY_BYTES,
    refuse: (request, socket) => answerPlainly(server, request, socket),
  });
  server.on('upgrade', (request, socket, head) => {
    if (isHandshake(request)) sockets.handleUpgrade(request, socket, head);
    // Older versions of Node do not ask before.
    else answerPlainly(server, request, socket);
  });
  answerUnparsed(server);
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
