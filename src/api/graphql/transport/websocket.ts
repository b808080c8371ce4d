import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ExecutionArgs, type GraphQLError, type GraphQLFormattedError, getOperationAST } from 'graphql';
import type { Context, SubscribePayload } from 'graphql-ws';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Caller } from '../../../domain/kernel/access/caller.ts';
import { BillingError, invalidRequest } from '../../../errors.ts';
import { type Credentials, credentialsOf } from '../../access/authenticate.ts';
import type { PerTrust } from '../../access/caller-trust.ts';
import { identifyCaller } from '../../admission/identify-caller.ts';
import { maskedError, type PublicError, publicError } from '../../errors/error-response.ts';
import { type RatePolicy, SOCKETS_OPENED, tooManyRequests } from '../../rate-limit/rate-limit.ts';
import { type GraphqlContext, type GraphqlServer, scopeOf } from '../context.ts';
import { closeSocket } from '../live/close-socket.ts';
import { closeIfTooMuch, closeWhenSlow } from '../live/slow-sockets.ts';
import type { GraphqlHandler } from './handler.ts';
import { KEY_CLOSED_CODE, KEY_CLOSED_REASON } from './key-closed.ts';
import { publicGraphqlError } from './public-errors.ts';
import { MAX_OPERATIONS, PendingBytes, SocketOperations, TOO_MANY_CODE } from './socket-operations.ts';

/**
 * Close codes of sockets that are refused. After any other error, such as a wrong key, the code is
 * KEY_CLOSED_CODE.
 */
const CLOSE_CODES: Readonly<Partial<Record<PublicError['code'], number>>> = {
  rate_limit_exceeded: TOO_MANY_CODE,
  // "Try again later": by default graphql-ws would close it as if the key were wrong.
  internal_error: 1013,
};
/** Time that the peer has to confirm the close of a socket. */
const CLOSE_TIMEOUT_MS = 3_000;
/** Maximum fragments of one message. */
const MAX_FRAGMENTS = 1_000;

type Connection = Context<Record<string, unknown> | undefined, Extra>;
type Engine = ReturnType<GraphqlHandler['getEnveloped']>;
/** `ended` must be called when the operation has its first result. */
type EngineArgs = ExecutionArgs & { readonly engine: Engine; readonly ended: () => void };

interface SocketOptions {
  /** Maximum bytes of a message. */
  readonly maxPayload: number;
  /** Answers an upgrade request that is not a valid handshake. */
  refuse(request: IncomingMessage, socket: Duplex): void;
}

/** GraphQL over WebSocket, run by the same engine as over HTTP. */
export function createGraphqlSockets(
  servers: PerTrust<GraphqlServer>,
  yoga: GraphqlHandler,
  { maxPayload, refuse }: SocketOptions,
) {
  const server = servers.proven;
  const { log } = server.app;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload,
    maxFragments: MAX_FRAGMENTS,
    // One message per turn of the event loop. A read may contain a thousand operations.
    allowSynchronousEvents: false,
  });
  const operations = new WeakMap<WebSocket, SocketOperations>();
  const operationsOf = ({ extra }: Connection) => operations.get(extra.socket) as SocketOperations;
  const pendingBytes = new PendingBytes();
  // Registered before graphql-ws, which handles each message at once.
  sockets.on('connection', (socket, request) => {
    ignoreFailedSends(socket);
    const address = server.admission.addressOf(request);
    operations.set(socket, new SocketOperations(socket, address, pendingBytes));
  });
  sockets.on('wsClientError', (_error, socket, request) => refuse(request, socket));
  const running = useServer<Record<string, unknown> | undefined, Record<never, never>>(
    {
      onConnect: (connection) => authenticateSocket(servers, connection, operationsOf(connection)),
      onSubscribe: (connection, id, payload) =>
        admit(server, connection, operationsOf(connection), id, (ended) =>
          prepare(
            servers[operationsOf(connection).trust],
            yoga,
            connection,
            payload,
            operationsOf(connection),
            ended,
          ),
        ),
      execute: (args) => run(args as EngineArgs, 'execute'),
      subscribe: (args) => run(args as EngineArgs, 'subscribe'),
      onNext: closeIfTooMuch,
      onComplete: (connection, id) => operationsOf(connection).forget(id),
      onError: (_connection, _id, _payload, errors) =>
        errors.map((error) => formatted(publicGraphqlError(error, log))),
    },
    sockets,
  );
  return {
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      sockets.handleUpgrade(request, socket, head, (client) => {
        sockets.emit('connection', client, request);
        // By default graphql-ws prints protocol errors of clients to stderr. The socket closes with
        // a code anyway.
        client.removeAllListeners('error').on('error', (err) => log.debug({ err }, 'WebSocket broken'));
      });
    },
    close: async () => {
      const late = setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate();
      }, CLOSE_TIMEOUT_MS);
      await running.dispose();
      clearTimeout(late);
    },
  };
}

/** Ignores failed sends to a closed socket, which graphql-ws would print to stderr. */
function ignoreFailedSends(socket: WebSocket): void {
  const send = socket.send.bind(socket) as (data: string, sent: () => void) => void;
  socket.send = ((data: string, sent?: () => void) => send(data, () => sent?.())) as WebSocket['send'];
}

/**
 * Authenticates a new socket. On failure it closes the socket with a reason and returns false. The
 * close code is 4429 if the caller opens too many sockets or too many requests wait, 4403 if the
 * key or the environment is wrong, and 1013 after an unexpected error. A socket without a key may
 * use fields that need none.
 */
async function authenticateSocket(
  servers: PerTrust<GraphqlServer>,
  connection: Connection,
  operations: SocketOperations,
): Promise<boolean> {
  const { admission } = servers.proven;
  operations.setTrust(admission.trustOf(credentialsIn(connection)));
  const server = servers[operations.trust];
  const leave = await operations.waitForAdmission(admission);
  try {
    if (!leave) throw tooManyRequests();
    const { caller, limitKey } = await identifyCounted(server, connection, SOCKETS_OPENED);
    operations.setCaller(limitKey, caller !== undefined);
    if (caller) closeWithKey(server, caller, connection);
    closeWhenSlow(server.slowReaders, connection);
    return true;
  } catch (err) {
    const known = publicError(err);
    if (!known) server.app.log.error({ err }, 'WebSocket not opened');
    const { code, message } = known ?? maskedError(err);
    connection.extra.socket.close(CLOSE_CODES[code] ?? KEY_CLOSED_CODE, message);
    return false;
  } finally {
    leave?.();
  }
}

/** Closes the socket when its API key is revoked or expires, or its member session ends. */
function closeWithKey({ keyWatch }: GraphqlServer, caller: Caller, connection: Connection): void {
  const unwatch = keyWatch.watch(caller, () => closeSocket(connection, KEY_CLOSED_CODE, KEY_CLOSED_REASON));
  connection.extra.socket.once('close', unwatch);
}

type Prepared = EngineArgs | readonly GraphQLError[];

/**
 * Waits until an operation is admitted, and prepares it. If its caller is known to be over the
 * limit, the operation is refused without waiting for admission.
 */
async function admit(
  server: GraphqlServer,
  { subscriptions }: Connection,
  operations: SocketOperations,
  id: string,
  preparing: (ended: () => void) => Promise<Prepared>,
): Promise<Prepared> {
  const { limits, admission } = server;
  // Counted before any wait, so that the last of several concurrent operations are over the limit.
  const ended = operations.begin();
  const isOpen = operations.open(id, subscriptions);
  const refuse = (error: BillingError) => {
    operations.refused();
    if (isOpen) operations.forget(id);
    ended();
    return [publicGraphqlError(error, server.app.log)];
  };
  if (limits.recall(limits.policyOf(operations.limitKey), operations.limitKey))
    return refuse(tooManyRequests());
  const leave = await operations.waitForAdmission(admission);
  if (!leave) return refuse(tooManyRequests());
  const endedHere = () => {
    leave();
    ended();
  };
  const prepared = await preparing(endedHere);
  if (isOpen && !isRefused(prepared)) return prepared;
  endedHere();
  if (isOpen) operations.forget(id);
  return isRefused(prepared) ? prepared : [publicGraphqlError(tooManyOperations(), server.app.log)];
}

function isRefused(prepared: Prepared): prepared is readonly GraphQLError[] {
  return Array.isArray(prepared);
}

async function run(args: EngineArgs, method: 'execute' | 'subscribe') {
  try {
    return await args.engine[method](args);
  } finally {
    args.ended();
  }
}

/**
 * Counts and authenticates one operation: the key may have been revoked since the socket opened.
 */
async function prepare(
  server: GraphqlServer,
  yoga: GraphqlHandler,
  connection: Connection,
  payload: SubscribePayload,
  operations: SocketOperations,
  ended: () => void,
): Promise<Prepared> {
  const requestId = randomUUID();
  const log = server.app.log.child({ requestId });
  try {
    const { caller, limitKey, ipAddress } = await identifyCounted(server, connection);
    operations.setCaller(limitKey, caller !== undefined);
    const userAgent = connection.extra.request.headers['user-agent'];
    const requestOrigin = { ipAddress, userAgent, requestId };
    const context: GraphqlContext = {
      ...server,
      caller,
      countsAgainst: limitKey,
      requestId,
      requestOrigin,
    };
    const engine = yoga.getEnveloped({ ...context, params: payload } as never);
    const document = engine.parse(payload.query);
    const errors = engine.validate(engine.schema, document);
    if (errors.length > 0) return errors.map((error: GraphQLError) => publicGraphqlError(error, log));
    const { operationName, variables } = payload;
    if (!getOperationAST(document, operationName)) throw noSuchOperation();
    const args: EngineArgs = {
      engine,
      ended,
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
 * Identifies the caller and counts the operation. With a wrong key it counts against the address.
 *
 * @param policy default: the policy for the caller's requests
 * @throws BillingError rate_limit_exceeded, authentication_error or invalid_request
 */
async function identifyCounted(server: GraphqlServer, connection: Connection, policy?: RatePolicy) {
  const ipAddress = server.admission.addressOf(connection.extra.request);
  const { caller, refusal, limitKey } = await identifyCaller(server, credentialsIn(connection), ipAddress);
  const { allowed } = await server.limits.take(policy ?? server.limits.policyOf(limitKey), limitKey);
  if (!allowed) throw tooManyRequests();
  if (refusal !== undefined) throw refusal;
  return { caller, limitKey, ipAddress };
}

function tooManyOperations(): BillingError {
  return new BillingError(
    'rate_limit_exceeded',
    `At most ${MAX_OPERATIONS} operations may run on one socket at once: complete some first or open another socket.`,
  );
}

function noSuchOperation(): BillingError {
  return invalidRequest('operationName', 'The document has no operation with this name.');
}

/** Formats the error without the HTTP status. */
function formatted(error: GraphQLError): GraphQLFormattedError {
  const { http: _, ...extensions } = error.extensions;
  return { ...error.toJSON(), extensions };
}

/**
 * The credentials of an operation. Browsers can put a key and the environment only in
 * `connection_init`, where they replace the headers.
 */
function credentialsIn({ connectionParams, extra }: Connection): Credentials {
  const authorization = connectionParams?.authorization ?? connectionParams?.Authorization;
  const environment = connectionParams?.environment;
  return credentialsOf(extra.request, {
    isSocket: true,
    ...(isGiven(authorization) && { authorization: String(authorization) }),
    ...(isGiven(environment) && { environment: String(environment) }),
  });
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
