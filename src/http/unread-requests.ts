import { maxHeaderSize } from 'node:http';
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
 * For what Node's parser gives up on (`clientError`). Whose request it was is not known, and nobody's limit was touched: no
 * header tells of one. The connection is over, for where the next request begins is not known either.
 */
export function tellUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
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
