import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ExecutionArgs, type GraphQLError, type GraphQLFormattedError, getOperationAST } from 'graphql';
import { handleProtocols, makeServer, type SubscribePayload } from 'graphql-ws';
import { WebSocket, WebSocketServer } from 'ws';
import type { Caller } from '../../../domain/kernel/access/caller.ts';
import { BillingError, invalidRequest } from '../../../errors.ts';
import { type Credentials, credentialsOf } from '../../access/authenticate.ts';
import type { PerTrust } from '../../access/caller-trust.ts';
import { identifyCaller } from '../../admission/identify-caller.ts';
import { maskedError, type PublicError, publicError } from '../../errors/error-response.ts';
import { type RatePolicy, SOCKETS_OPENED, tooManyRequests } from '../../rate-limit/rate-limit.ts';
import { type GraphqlContext, type GraphqlServer, scopeOf } from '../context.ts';
import { closeSocket, type OpenedSocket, type SocketConnection } from '../live/close-socket.ts';
import { closeIfTooMuch, closeWhenSlow } from '../live/slow-sockets.ts';
import type { GraphqlHandler } from './handler.ts';
import { KEY_CLOSED_CODE, KEY_CLOSED_REASON } from './key-closed.ts';
import { publicGraphqlError } from './public-errors.ts';
import { serveSocket } from './serve-socket.ts';
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
/** The close code of the protocol for a server that stops. */
const GOING_AWAY_CODE = 1001;
/** Time that the peer has to confirm the close of a socket. */
const CLOSE_TIMEOUT_MS = 3_000;
/** Maximum fragments of one message. */
const MAX_FRAGMENTS = 1_000;

type Engine = ReturnType<GraphqlHandler['getEnveloped']>;
interface EngineArgs extends ExecutionArgs {
  readonly engine: Pick<Engine, 'execute' | 'subscribe'>;
  /** Must be called when the operation has its first result. */
  ended: (() => void) | undefined;
}

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
    handleProtocols,
  });
  const pendingBytes = new PendingBytes();
  sockets.on('wsClientError', (_error, socket, request) => refuse(request, socket));
  const engine = makeServer<Record<string, unknown> | undefined, OpenedSocket>({
    onConnect: (connection) => authenticateSocket(servers, connection),
    onSubscribe: (connection, id, payload) =>
      admit(server, connection, id, (ended) =>
        prepare(servers[connection.extra.operations.trust], yoga, connection, payload, ended),
      ),
    execute: (args) => run(args as EngineArgs, 'execute'),
    subscribe: (args) => run(args as EngineArgs, 'subscribe'),
    onNext: closeIfTooMuch,
    onComplete: ({ extra }, id) => extra.operations.forget(id),
    onError: (_connection, _id, _payload, errors) =>
      errors.map((error) => formatted(publicGraphqlError(error, log))),
  });
  const broken = (err: Error) => log.debug({ err }, 'WebSocket broken');
  return {
    handleUpgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void {
      sockets.handleUpgrade(request, connection, head, (socket) => {
        const ipAddress = server.admission.addressOf(request);
        const opened: OpenedSocket = {
          socket,
          tcpSocket: request.socket,
          credentials: credentialsOf(request, { isSocket: true }),
          ipAddress,
          userAgent: request.headers['user-agent'],
          // Listens before graphql-ws, which handles each message at once.
          operations: new SocketOperations(socket, ipAddress, pendingBytes),
        };
        // The socket closes with a code.
        socket.on('error', broken);
        serveSocket(engine, opened, log);
      });
    },
    close: async () => {
      const late = setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate();
      }, CLOSE_TIMEOUT_MS);
      const closed = once(sockets, 'close');
      for (const socket of sockets.clients) socket.close(GOING_AWAY_CODE, 'Going away');
      sockets.close();
      await closed;
      clearTimeout(late);
    },
  };
}

/**
 * Authenticates a new socket. On failure it closes the socket with a reason and returns false. The
 * close code is 4429 if the caller opens too many sockets or too many requests wait, 4403 if the
 * key or the environment is wrong, and 1013 after an unexpected error. A socket without a key may
 * use fields that need none.
 */
async function authenticateSocket(
  servers: PerTrust<GraphqlServer>,
  connection: SocketConnection,
): Promise<boolean> {
  const { admission } = servers.proven;
  const { operations } = connection.extra;
  operations.setTrust(admission.trustOf(credentialsIn(connection)));
  const server = servers[operations.trust];
  const leave = await operations.waitForAdmission(admission);
  try {
    if (!leave) throw tooManyRequests();
    const { caller, limitKey } = await identifyCounted(server, connection, SOCKETS_OPENED);
    // The watches below end when it closes, which has happened already.
    if (connection.extra.socket.readyState !== WebSocket.OPEN) return false;
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
function closeWithKey({ keyWatch }: GraphqlServer, caller: Caller, connection: SocketConnection): void {
  const unwatch = keyWatch.watch(caller, () => closeSocket(connection, KEY_CLOSED_CODE, KEY_CLOSED_REASON));
  connection.extra.socket.on('close', unwatch);
}

type Prepared = EngineArgs | readonly GraphQLError[];

/**
 * Waits until an operation is admitted, and prepares it. If its caller is known to be over the
 * limit, the operation is refused without waiting for admission.
 */
async function admit(
  server: GraphqlServer,
  { subscriptions, extra: { operations } }: SocketConnection,
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
    args.ended?.();
    // graphql-ws keeps the arguments until a subscription ends.
    args.ended = undefined;
  }
}

/**
 * Counts and authenticates one operation: the key may have been revoked since the socket opened.
 */
async function prepare(
  server: GraphqlServer,
  yoga: GraphqlHandler,
  connection: SocketConnection,
  payload: SubscribePayload,
  ended: () => void,
): Promise<Prepared> {
  const requestId = randomUUID();
  const log = server.app.log.child({ requestId });
  try {
    const { caller, limitKey } = await identifyCounted(server, connection);
    const { operations, ipAddress, userAgent } = connection.extra;
    operations.setCaller(limitKey, caller !== undefined);
    const requestOrigin = { ipAddress, userAgent, requestId };
    const context: GraphqlContext = {
      ...server,
      caller,
      countsAgainst: limitKey,
      requestId,
      requestOrigin,
    };
    const { parse, validate, contextFactory, schema, execute, subscribe } = yoga.getEnveloped({
      ...context,
      params: payload,
    } as never);
    const document = parse(payload.query);
    const errors = validate(schema, document);
    if (errors.length > 0) return errors.map((error: GraphQLError) => publicGraphqlError(error, log));
    const { operationName, variables } = payload;
    if (!getOperationAST(document, operationName)) throw noSuchOperation();
    const args: EngineArgs = {
      engine: { execute, subscribe },
      ended,
      schema,
      document,
      operationName,
      variableValues: variables,
      contextValue: await contextFactory(),
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
async function identifyCounted(server: GraphqlServer, connection: SocketConnection, policy?: RatePolicy) {
  const { ipAddress } = connection.extra;
  const { caller, refusal, limitKey } = await identifyCaller(server, credentialsIn(connection), ipAddress);
  const { allowed } = await server.limits.take(policy ?? server.limits.policyOf(limitKey), limitKey);
  if (!allowed) throw tooManyRequests();
  if (refusal !== undefined) throw refusal;
  return { caller, limitKey };
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
function credentialsIn({ connectionParams, extra }: SocketConnection): Credentials {
  const authorization = connectionParams?.authorization ?? connectionParams?.Authorization;
  const environment = connectionParams?.environment;
  return {
    ...extra.credentials,
    ...(isGiven(authorization) && { authorization: String(authorization) }),
    ...(isGiven(environment) && { environment: String(environment) }),
  };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
