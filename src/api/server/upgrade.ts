import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Whether a request is for a WebSocket at `/graphql`. The function does not use `URL`, which throws
 * for some invalid input.
 */
export function isHandshake({ url, headers }: IncomingMessage): boolean {
  return url?.split('?', 1)[0] === '/graphql' && isWebSocketUpgrade(headers.upgrade);
}

export function isWebSocketUpgrade(upgrade: string | undefined): boolean {
  return upgrade?.toLowerCase() === 'websocket';
}

/**
 * Answers an upgrade request like any other request and closes the connection. Errors, headers and
 * rate limits are the same as for all requests.
 */
export function answerPlainly(server: Server, request: IncomingMessage, connection: Duplex): void {
  server.emit('request', request, responseOf(request, connection));
}

/**
 * Creates a response on a connection that Node has detached. The connection closes after the
 * response.
 */
function responseOf(request: IncomingMessage, connection: Duplex): ServerResponse {
  const socket = connection as Socket;
  // Node has detached the socket, and nothing else handles its errors.
  socket.on('error', () => socket.destroy());
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => {
    response.detachSocket(socket);
    // Closes both directions, because Node's timeouts no longer apply to the socket.
    socket.destroySoon();
  });
  return response;
}
