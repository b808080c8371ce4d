import { closeSocket, type SocketConnection } from './close-socket.ts';
import { TOO_SLOW } from './open-stream.ts';
import { isTooMuch, type SlowReaders } from './slow-readers.ts';

/** With this code a WebSocket is closed whose other end does not read; graphql-ws itself has no use for it. */
const TOO_SLOW_CODE = 4413;

/** Closes a WebSocket when its other end does not read what it asked for. */
export function closeWhenSlow(slowReaders: SlowReaders, connection: SocketConnection): void {
  const { socket, request } = connection.extra;
  const unwatch = slowReaders.watch(request.socket, () => closeSlow(connection));
  // Each of them is answered: by the time that somebody looks, they may have been very many.
  const look = () => closeIfTooMuch(connection);
  socket.on('message', look).on('ping', look).once('close', unwatch);
}

/** The same, at once where too much waits already; to be asked before anything is sent. */
export function closeIfTooMuch(connection: SocketConnection): void {
  if (isTooMuch(connection.extra.request.socket)) closeSlow(connection);
}

function closeSlow(connection: SocketConnection): void {
  closeSocket(connection, TOO_SLOW_CODE, TOO_SLOW);
}
