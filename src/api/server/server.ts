import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { AppContext } from '../../app.ts';
import { hostInUrl } from '../../config/host-in-url.ts';
import { queriesWaiting, shortenWaits } from '../../db/db.ts';
import { createServiceHealth } from '../../domain/maintenance/service-health/service-health.ts';
import { credentialsOf } from '../access/authenticate.ts';
import { trustedProxies } from '../access/caller-address.ts';
import { connectCallerDatabases } from '../access/caller-databases.ts';
import { type CallerTrust, type PerTrust, perTrust } from '../access/caller-trust.ts';
import { KeyUse } from '../access/key-use.ts';
import { KeyWatch } from '../access/key-watch.ts';
import { sessionToken } from '../access/session-cookie.ts';
import { Admission } from '../admission/admission.ts';
import { identifyCaller } from '../admission/identify-caller.ts';
import type { GraphqlServer, Stopping } from '../graphql/context.ts';
import { EventFeeds } from '../graphql/live/event-feeds.ts';
import { SlowReaders } from '../graphql/live/slow-readers.ts';
import { StreamCounts } from '../graphql/live/stream-counts.ts';
import { createGraphqlHandler } from '../graphql/transport/handler.ts';
import { createGraphqlSockets } from '../graphql/transport/websocket.ts';
import { createRateLimits } from '../rate-limit/rate-limits.ts';
import { answerRequest } from './answer-request.ts';
import { MAX_BODY_BYTES } from './limit-body.ts';
import { Listeners } from './listeners.ts';
import { createRouter, describedOnce } from './router.ts';
import { answerUnparsable, answerUnreadable, refuseUnreadable } from './unreadable-requests.ts';
import { answerPlainly, isHandshake } from './upgrade.ts';

export interface Api {
  readonly port: number;
  /** The URL at which this process listens; `config.publicUrl` is the public URL. */
  readonly url: string;
  /**
   * Reports that it is not ready, and answers for `config.stopDelaySeconds` more, so that load
   * balancers stop sending requests. Then stops accepting requests and ends the live streams.
   * Running requests have seven seconds to finish in total.
   */
  close(): Promise<void>;
}

/** Maximum time from the beginning of a stop for running requests to finish. */
const CLOSE_TIMEOUT_MS = 7_000;
/** Interval at which idle connections are closed during shutdown. */
const IDLE_EVERY_MS = 20;

/** Maximum buffered bytes of a connection that is paused. */
const READ_AHEAD_BYTES = 16_384;
/** Maximum time to receive the headers of a request, and the whole request. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const LATE_REQUEST_CHECK_MS = 2_000;
/** Longer than proxies keep idle connections, so that none uses one that is being closed. */
const KEEP_ALIVE_MS = 75_000;

/** Serves REST, GraphQL with live updates, and the public pages on one port. */
export async function startApi(ctx: AppContext): Promise<Api> {
  const limits = await createRateLimits(ctx);
  const dbs = connectCallerDatabases(ctx);
  const admission = new Admission(limits, trustedProxies(ctx.config.trustedProxies), {
    sessionOf: (cookie) => sessionToken(ctx.config, cookie),
    queriesWaiting: (trust) => queriesWaiting(dbs[trust]),
  });
  const stopping: Stopping = { hasBegun: false };
  const graphql: GraphqlServer = {
    app: ctx,
    limits,
    admission,
    keyUse: new KeyUse(ctx),
    keyWatch: new KeyWatch(ctx),
    openStreams: new Set(),
    streamCounts: new StreamCounts(),
    eventFeeds: new EventFeeds(ctx),
    slowReaders: new SlowReaders(ctx.log),
    readHealth: createServiceHealth(ctx),
    stopping,
  };
  // The servers differ only in their database connections, so that no merchant waits for anonymous
  // callers.
  const servers = perTrust((trust): GraphqlServer => {
    if (trust === 'proven') return graphql;
    const db = dbs[trust];
    return { ...graphql, app: { ...ctx, db }, limits: limits.beside(db) };
  });
  const yoga = createGraphqlHandler(graphql);
  const describe = describedOnce(ctx.config);
  const answers = perTrust((trust) => {
    const router = createRouter(servers[trust], yoga, describe);
    const answer = getRequestListener(router.fetch, { errorHandler: answerUnreadable(ctx.log) });
    return (incoming: IncomingMessage, outgoing: ServerResponse) =>
      void answerRequest(servers[trust], incoming, outgoing, answer);
  });
  const server = createServer(
    {
      // A client may offer other protocols with any request, which is then answered over HTTP/1.1.
      shouldUpgradeCallback: isHandshake,
      requireHostHeader: false,
      highWaterMark: READ_AHEAD_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: LATE_REQUEST_CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (incoming, outgoing) => {
      if (stopping.hasBegun) outgoing.shouldKeepAlive = false;
      admission.admit(incoming, outgoing, async (trust) => {
        const knownTrust = trust === 'unverified' ? await verifyTrust(servers.unverified, incoming) : trust;
        answers[knownTrust](incoming, outgoing);
      });
    },
  );
  // Node's own response is an empty 417.
  server.on('checkExpectation', (incoming, outgoing) =>
    admission.admit(incoming, outgoing, (trust) => {
      const address = admission.addressOf(incoming);
      void refuseUnreadable(
        servers[trust].limits,
        address,
        { incoming, outgoing },
        'Expect must be 100-continue.',
        'Expect',
      );
    }),
  );
  const listeners = new Listeners(server, { highWaterMark: READ_AHEAD_BYTES });
  const sockets = createGraphqlSockets(servers, yoga, {
    maxPayload: MAX_BODY_BYTES,
    refuse: (request, socket) => answerPlainly(server, request, socket),
  });
  server.on('upgrade', (request, socket, head) => {
    if (isHandshake(request)) sockets.handleUpgrade(request, socket, head);
    // Older versions of Node emit the event for every upgrade.
    else answerPlainly(server, request, socket);
  });
  answerUnparsable(server, servers.stranger.limits);
  const { port } = await listeners.listen(ctx.config).catch(async (error) => {
    await closeShared(servers);
    throw error;
  });
  ctx.log.info({ port }, 'API listening');
  let closed: Promise<void> | undefined;
  return {
    port,
    url: `http://${hostInUrl(ctx.config.host)}:${port}`,
    close() {
      closed ??= stop(server, listeners, sockets, servers);
      return closed;
    },
  };
}

/**
 * Authenticates a caller with unverified credentials over separate database connections. The
 * request is then answered according to the result.
 */
async function verifyTrust(server: GraphqlServer, incoming: IncomingMessage): Promise<CallerTrust> {
  // The error is reported when the request is answered.
  const { caller } = await identifyCaller(
    server,
    credentialsOf(incoming),
    server.admission.addressOf(incoming),
  );
  return caller ? 'proven' : 'stranger';
}

async function stop(
  server: Server,
  listeners: Listeners,
  sockets: ReturnType<typeof createGraphqlSockets>,
  servers: PerTrust<GraphqlServer>,
): Promise<void> {
  const graphql = servers.proven;
  const delayMs = graphql.app.config.stopDelaySeconds * 1_000;
  graphql.stopping.hasBegun = true;
  if (delayMs > 0) await sleep(delayMs);
  for (const { app } of [servers.unverified, servers.stranger]) shortenWaits(app.db);
  const allClosed = listeners.close();
  graphql.admission.close();
  const late = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS - delayMs);
  await sockets.close();
  for (const end of graphql.openStreams) end();
  // A connection that finished its last response would otherwise stay open for another request.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_EVERY_MS);
  await allClosed;
  clearInterval(idle);
  clearTimeout(late);
  await closeShared(servers);
}

async function closeShared({ proven, unverified, stranger }: PerTrust<GraphqlServer>): Promise<void> {
  const { limits, keyUse, keyWatch } = proven;
  await Promise.all([limits.close(), keyUse.close(), keyWatch.close()]);
  await Promise.all([unverified, stranger].map(({ app }) => app.db.$disconnect()));
}
