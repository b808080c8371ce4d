import { CloseCode, type Server } from 'graphql-ws';
import type { Logger } from '../../../observability/log.ts';
import type { OpenedSocket } from '../live/close-socket.ts';

/** A socket that does not answer a ping before the next one is closed. */
const PING_INTERVAL_MS = 12_000;

/**
 * Connects a WebSocket with graphql-ws. The adapter for `ws` in graphql-ws keeps the request, and the
 * bytes of the message that started a subscription as long as the subscription runs.
 */
export function serveSocket(engine: Server<OpenedSocket>, opened: OpenedSocket, log: Logger): void {
  const { socket } = opened;
  const closed = engine.opened(
    {
      protocol: socket.protocol,
      send: (text) =>
        new Promise((sent) => {
          // A failed send needs no handling: the socket closes.
          if (socket.readyState === socket.OPEN) socket.send(text, () => sent());
          else sent();
        }),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (receive) =>
        socket.on('message', (data) => {
          receive(String(data)).catch((err) => {
            log.error({ err }, 'WebSocket message not handled');
            socket.close(CloseCode.InternalServerError, 'Internal server error');
          });
        }),
    },
    opened,
  );
  let isAnswered = true;
  const pings = setInterval(() => {
    if (socket.readyState !== socket.OPEN) return;
    if (!isAnswered) return socket.terminate();
    isAnswered = false;
    socket.ping();
  }, PING_INTERVAL_MS);
  socket.on('pong', () => {
    isAnswered = true;
  });
  socket.on('close', (code, reason) => {
    clearInterval(pings);
    closed(code, String(reason)).catch((err) => log.error({ err }, 'WebSocket operations not ended'));
  });
}
