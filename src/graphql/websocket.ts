import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ExecutionArgs, GraphQLError, GraphQLFormattedError } from 'graphql';
import type { Context, SubscribePayload } from 'graphql-ws';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { v7 as uuidv7 } from 'uuid';
import { WebSocketServer } from 'ws';
import type { Caller } from '../domain/merchant/caller.ts';
import { BillingError } from '../errors.ts';
import { authenticate, type Credentials } from '../http/authenticate.ts';
import { ENVIRONMENT_HEADER } from '../http/authenticate-member.ts';
import { callerAddress } from '../http/caller-address.ts';
import { publicError } from '../http/error-response.ts';
import { countsAgainst, tooManyRequests } from '../http/identify.ts';
import { OTHER_REQUESTS, type RatePolicy, SOCKETS_OPENED } from '../http/rate-limit.ts';
import { type GraphqlContext, type GraphqlServer, scopeOf } from './context.ts';
import type { GraphqlHandler } from './handler.ts';
import { KEY_CLOSED_CODE, KEY_CLOSED_REASON } from './key-closed.ts';
import { closeSocket } from './live/close-socket.ts';
import { closeIfTooMuch, closeWhenSlow } from './live/slow-sockets.ts';
import { publicGraphqlError } from './public-errors.ts';

/** Operations that may run on one socket at once, live ones and others. */
const MAX_OPERATIONS = 100;
/** With this code a socket is closed whose caller opens too many. */
const TOO_MANY_CODE = 4429;

type Connection = Context<Record<string, unknown> | undefined, Extra>;
type Engine = ReturnType<GraphqlHandler['getEnveloped']>;
type EngineArgs = ExecutionArgs & { readonly engine: Engine };

interface SocketOptions {
  /** Bytes of a message, at most. */
  readonly maxPayload: number;
  /** Answers what is no handshake. */
  refuse(request: IncomingMessage, socket: Duplex): void;
}

/** GraphQL over WebSocket, run by the same engine as over HTTP. */
export function createGraphqlSockets(
  server: GraphqlServer,
  yoga: GraphqlHandler,
  { maxPayload, refuse }: SocketOptions,
) {
  const { log } = server.app;
  const sockets = new WebSocketServer({ noServer: true, maxPayload });
  sockets.on('wsClientError', (_error, socket, request) => refuse(request, socket));
  const running = useServer<Record<string, unknown> | undefined, Record<never, never>>(
    {
      onConnect: (connection) => isWelcome(server, connection),
      onSubscribe: (connection, _id, payload) => prepare(server, yoga, connection, payload),
      execute: (args) => (args as EngineArgs).engine.execute(args),
      subscribe: (args) => (args as EngineArgs).engine.subscribe(args),
      onNext: closeIfTooMuch,
      onError: (_connection, _id, _payload, errors) =>
        errors.map((error) => formatted(publicGraphqlError(error, log))),
    },
    sockets,
  );
  return {
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request));
    },
    close: async () => {
      await running.dispose();
    },
  };
}

/**
 * False, which closes and says why: with 4429 where the caller opens too many, with 4403 where the key is wrong. Without a
 * key, what needs none is open.
 */
async function isWelcome(server: GraphqlServer, connection: Connection): Promise<boolean> {
  try {
    const { caller } = await identifyCounted(server, connection, SOCKETS_OPENED);
    if (caller) closeWithKey(server, caller, connection);
    closeWhenSlow(server.slowReaders, connection);
    return true;
  } catch (err) {
    const known = publicError(err);
    const code = known?.code === 'rate_limit_exceeded' ? TOO_MANY_CODE : KEY_CLOSED_CODE;
    if (known) connection.extra.socket.close(code, known.message);
    else server.app.log.error({ err }, 'WebSocket not opened');
    return false;
  }
}

/** When its key is revoked or expires, everything that came over this socket ends. */
function closeWithKey({ keyWatch }: GraphqlServer, caller: Caller, connection: Connection): void {
  const unwatch = keyWatch.watch(caller, () => closeSocket(connection, KEY_CLOSED_CODE, KEY_CLOSED_REASON));
  connection.extra.socket.once('close', unwatch);
}

/** One operation: counted, and authenticated anew, so that a key that was revoked meanwhile opens nothing more. */
async function prepare(
  server: GraphqlServer,
  yoga: GraphqlHandler,
  connection: Connection,
  payload: SubscribePayload,
): Promise<ExecutionArgs | readonly GraphQLError[]> {
  const requestId = uuidv7();
  const log = server.app.log.child({ requestId });
  try {
    const { caller, against, ipAddress } = await identifyCounted(server, connection, OTHER_REQUESTS);
    if (Object.keys(connection.subscriptions).length > MAX_OPERATIONS) throw tooManyOperations();
    const userAgent = connection.extra.request.headers['user-agent'];
    const requestOrigin = { ipAddress, userAgent, requestId };
    const context: GraphqlContext = {
      ...server,
      caller,
      countsAgainst: against,
      requestId,
      requestOrigin,
    };
    const engine = yoga.getEnveloped({ ...context, params: payload } as never);
    const document = engine.parse(payload.query);
    const errors = engine.validate(engine.schema, document);
    if (errors.length > 0) return errors.map((error: GraphQLError) => publicGraphqlError(error, log));
    const { operationName, variables } = payload;
    const args: EngineArgs = {
      engine,
      schema: engine.schema,
      document,
      operationName,
      variableValues: variables,
      contextValue: await engine.contextFactory(),
    };
    log.info({ ...(caller && scopeOf({ caller })), operationName }, 'WebSocket operation');
    return args;
  } catch (error) {
    return [publicGraphqlError(error, log)];
  }
}

/**
 * Who asks. It counts, also where the key is wrong: then against the address.
 *
 * @throws BillingError rate_limit_exceeded, authentication_error or invalid_request
 */
async function identifyCounted(server: GraphqlServer, connection: Connection, policy: RatePolicy) {
  const ipAddress = addressOf(server, connection);
  const { caller, refusal } = await authenticate(server, credentialsOf(connection)).then(
    (caller) => ({ caller, refusal: undefined }),
    (refusal: unknown) => ({ caller: undefined, refusal }),
  );
  const against = countsAgainst(caller, ipAddress);
  const { allowed } = await server.limits.take(policy, against);
  if (!allowed) throw tooManyRequests();
  if (refusal !== undefined) throw refusal;
  return { caller, against, ipAddress };
}

function tooManyOperations(): BillingError {
  return new BillingError(
    'rate_limit_exceeded',
    `At most ${MAX_OPERATIONS} operations may run on one socket at once: complete some first, or open another socket.`,
  );
}

function addressOf({ proxies }: GraphqlServer, { extra: { request } }: Connection): string {
  const forwardedFor = request.headers['x-forwarded-for']?.toString();
  return callerAddress(request.socket.remoteAddress, forwardedFor, proxies);
}

/** Without the status that it would have over HTTP. */
function formatted(error: GraphQLError): GraphQLFormattedError {
  const { http: _, ...extensions } = error.extensions;
  return { ...error.toJSON(), extensions };
}

/** A key, and the environment of who is signed in, from `connection_init` where browsers can put them. */
function credentialsOf(connection: Connection): Credentials {
  const { method = 'GET', headers } = connection.extra.request;
  const environment = connection.connectionParams?.environment ?? headers[ENVIRONMENT_HEADER];
  return {
    method,
    isSocket: true,
    authorization: authorizationOf(connection),
    cookie: headers.cookie,
    origin: headers.origin,
    fetchSite: headers['sec-fetch-site']?.toString(),
    environment: environment === undefined || environment === null ? undefined : String(environment),
  };
}

/** From `connection_init`, where browsers can put it, else from the header. */
function authorizationOf({ connectionParams, extra }: Connection): string | undefined {
  const given = connectionParams?.authorization ?? connectionParams?.Authorization;
  if (given === undefined || given === null) return extra.request.headers.authorization;
  return String(given);
}
