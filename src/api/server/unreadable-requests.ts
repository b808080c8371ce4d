import { type IncomingMessage, maxHeaderSize, type Server, type ServerResponse } from 'node:http';
import { BlockList, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { RequestError } from '@hono/node-server';
import type { Logger } from '../../observability/log.ts';
import { callerAddress, networkOf } from '../access/caller-address.ts';
import { answerPlainly, plainHeaders, refusePlainly } from '../admission/refuse-plainly.ts';
import { INTERNAL_ERROR, type PublicError } from '../errors/error-response.ts';
import { OTHER_REQUESTS } from '../rate-limit/rate-limit.ts';
import type { RateLimits } from '../rate-limit/rate-limits.ts';

/**
 * Messages for errors of Node's parser, by code. HTTP has special statuses for them, but the
 * contract has only 400.
 */
const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The headers of a request must have at most ${maxHeaderSize} bytes.`,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive completely in time.',
};
const UNREADABLE = 'This is not a valid HTTP request.';
const NO_PROXIES = new BlockList();

/**
 * Answers requests that Node's parser cannot read, and closes the connection, because the start of
 * the next request is unknown. They count against the peer's address, because the caller is
 * unknown.
 *
 * If an earlier response is half written, nothing is sent: it would become part of that response.
 */
export function answerUnparsable(server: Server, limits: RateLimits): void {
  const openResponses = new WeakMap<Duplex, Set<ServerResponse>>();
  server.on('request', ({ socket }, response) => {
    const responses = openResponses.get(socket) ?? new Set();
    openResponses.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  });
  server.on('clientError', (error, socket) => {
    const isAnswering = [...(openResponses.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    if (isAnswering) socket.destroy();
    else void answerUnparsed(error, socket, limits);
  });
}

async function answerUnparsed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  limits: RateLimits,
): Promise<void> {
  // Browsers open connections ahead and may send nothing for a while. A response would be shown as
  // the page of the next request.
  const isSilent = (socket as Socket).bytesRead === 0;
  if (isSilent || error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const caller = networkOf(callerAddress((socket as Socket).remoteAddress, undefined, NO_PROXIES));
  const verdict = await limits.take(OTHER_REQUESTS, caller);
  if (!verdict.allowed || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error: refusal(REASONS[error.code ?? ''] ?? UNREADABLE) });
  const headers = { ...plainHeaders(body, verdict), Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`${['HTTP/1.1 400 Bad Request', ...lines].join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Handles errors of Hono's server. The error of an invalid host or URL is thrown again, because the
 * code that catches it has the response object.
 */
export function answerUnreadable(log: Logger): (error: unknown) => Response {
  return (error) => {
    if (error instanceof RequestError) throw error;
    log.error({ err: error }, 'request failed');
    return Response.json({ error: INTERNAL_ERROR }, { status: 500 });
  };
}

/** @throws RequestError if a request has two Host headers: a proxy may have used the other one */
export function assertOneHost({ rawHeaders }: IncomingMessage): void {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) throw new RequestError('More than one host header');
}

/**
 * Refuses a request that cannot be read or has an unsupported expectation. It counts against the
 * network address.
 */
export async function refuseUnreadable(
  limits: RateLimits,
  address: string,
  { incoming, outgoing }: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse },
  message: string,
  param = 'request',
): Promise<void> {
  const verdict = await limits.take(OTHER_REQUESTS, networkOf(address));
  if (!verdict.allowed) return refusePlainly(incoming, outgoing, verdict);
  const body = JSON.stringify({ error: { ...refusal(message), param } });
  answerPlainly(incoming, outgoing, { status: 400, body, verdict });
}

function refusal(message: string): PublicError {
  return { code: 'invalid_request', message, param: 'request' };
}
