import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { isAllowedHost, isPublicAddress, RefusedAddressError } from './address-guard.ts';
import type { Connections } from './connections.ts';
import type { Deadline } from './deadline.ts';
import { UnusableAnswerError } from './unusable-answer-error.ts';
import type { UrlRules } from './webhook-url.ts';

/** Maximum interim responses (1xx, such as 103 Early Hints) before the final one. */
const MAX_INTERIM = 16;

export interface PostInput extends UrlRules {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Timeout of the whole attempt: lookup, connection, request and response. */
  readonly timeoutMs: number;
}

/**
 * Sends one request, on a kept connection if there is one. Resolves when the final response begins.
 * Rejects if there is none, or at the deadline.
 */
export async function sendRequest(
  connections: Connections,
  input: PostInput,
  deadline: Deadline,
): Promise<IncomingMessage> {
  const url = new URL(input.url);
  const guarded = !isAllowedHost(url, input.hostsAllowed);
  const { publicLookup: lookup } = connections;
  const first = ask(url, input, deadline, { agent: connections.agentFor(url, { guarded }), lookup, guarded });
  try {
    return await first.response;
  } catch (error) {
    // The server closed an idle connection just when it was reused: the request is repeated.
    if (!first.request.reusedSocket || deadline.isOver || connections.isClosed || !isReset(error))
      throw error;
    return ask(url, input, deadline, { agent: false, lookup, guarded }).response;
  }
}

/**
 * A request ends in one of these ways: `response`; `upgrade`, if the status is 101, for which Node
 * passes the socket and emits no other event; `error`; or `close` alone. The events `continue`,
 * `information` and `timeout` do not end it.
 */
function ask(
  url: URL,
  { headers, body }: PostInput,
  deadline: Deadline,
  { agent, lookup, guarded }: { agent: Agent | false; lookup: LookupFunction; guarded: boolean },
) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    agent,
    ...(guarded ? { lookup } : {}),
  });
  request.on('response', (response) => {
    // A response that arrives after the deadline may fail without being noticed.
    response.on('error', () => undefined);
    resolve(response);
  });
  request.on('upgrade', ({ statusCode = 101 }: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined).destroy();
    reject(new UnusableAnswerError(`answered ${statusCode}: other protocols are not supported`, statusCode));
  });
  let interim = 0;
  request.on('information', () => {
    if (++interim <= MAX_INTERIM) return;
    // Rejects first, because the bytes that are being read may contain the final response.
    reject(tooManyInterim());
    request.destroy();
  });
  request.on('error', reject);
  request.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  // The address of a reused connection was checked when it was made. It is checked again here.
  request.on('socket', ({ remoteAddress }: Socket) => {
    const isRefused = guarded && remoteAddress !== undefined && !isPublicAddress(remoteAddress);
    if (isRefused) request.destroy(new RefusedAddressError(url.hostname));
  });
  deadline.cover(request);
  request.end(body);
  return { request, response: deadline.limit(promise) };
}

function tooManyInterim(): UnusableAnswerError {
  return new UnusableAnswerError(`answered with more than ${MAX_INTERIM} interim responses (1xx)`, null);
}

function isReset(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
}
