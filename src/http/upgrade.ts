import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Whether a request asks for a WebSocket where there are some. Not by URL: that throws at some of what strangers send. */
export function isHandshake({ url, headers }: IncomingMessage): boolean {
  return url?.split('?', 1)[0] === '/graphql' && asksForWebSocket(headers.upgrade);
}

export function asksForWebSocket(upgrade: string | undefined): boolean {
  return upgrade?.toLowerCase() === 'websocket';
}

/**
 * Answers a request to upgrade as if it had not asked for that, and closes: with the errors and headers, and at the count, of
 * all others.
 */
export function answerPlainly(server: Server, request: IncomingMessage, connection: Duplex): void {
  const socket = connection as Socket;
  // Node has let go of it, and nobody else listens.
  socket.on('error', () => socket.destroy());
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => {
    response.detachSocket(socket);
    // Whole, not only our end of it: no timeout of Node's looks after it any more.
    socket.destroySoon();
  });
  server.emit('request', request, response);
}
