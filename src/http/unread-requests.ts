import { maxHeaderSize, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { RequestError } from '@hono/node-server';
import type { Logger } from '../log.ts';
import { INTERNAL_ERROR, type PublicError } from './error-response.ts';

/**
 * Why Node's parser gave up, by its code. The statuses of HTTP that say so are none of those that merchants were promised:
 * it is 400.
 */
const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The headers of a request must have at most ${maxHeaderSize} bytes.`,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not come whole in time.',
};
const UNREADABLE = 'This cannot be read as an HTTP request.';

/**
 * Answers what Node's parser gives up on. Whose request it was is not known, and nobody's limit was touched: no header tells
 * of one. The connection is over, for where the next request begins is not known either.
 *
 * Where an answer is half written, to a request before, nothing can be said: it would be read as a part of that.
 */
export function answerUnparsed(server: Server): void {
  const underWay = new WeakMap<Duplex, Set<ServerResponse>>();
  server.on('request', ({ socket }, response) => {
    const answers = underWay.get(socket) ?? new Set();
    underWay.set(socket, answers.add(response));
    response.once('close', () => answers.delete(response));
  });
  server.on('clientError', (error, socket) => {
    const isAnswering = [...(underWay.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    if (isAnswering) socket.destroy();
    else tellUnparsed(error, socket);
  });
}

function tellUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error: refusal(REASONS[error.code ?? ''] ?? UNREADABLE) });
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** For what hono's server gives up on: a request without a host, or with one or a URL that is none. */
export function answerUnread(log: Logger): (error: unknown) => Response {
  return (error) => {
    if (error instanceof RequestError) {
      return Response.json({ error: refusal(`${error.message}.`) }, { status: 400 });
    }
    log.error({ err: error }, 'request failed');
    return Response.json({ error: INTERNAL_ERROR }, { status: 500 });
  };
}

function refusal(message: string): PublicError {
  return { code: 'invalid_request', message, param: 'request' };
}
