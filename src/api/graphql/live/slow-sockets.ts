import { closeSocket, type SocketConnection } from './close-socket.ts';
import { TOO_SLOW } from './open-stream.ts';
import { exceedsBuffer, type SlowReaders } from './slow-readers.ts';

/** Close code of a WebSocket whose peer reads too slowly; graphql-ws does not use it. */
const TOO_SLOW_CODE = 4413;

/** Closes a WebSocket whose peer does not read its responses. */
export function closeWhenSlow(slowReaders: SlowReaders, connection: SocketConnection): void {
  const { socket, tcpSocket } = connection.extra;
  slowReaders.watch(tcpSocket, () => closeSlow(connection));
  // Every message and ping is answered, and very many can arrive before the next periodic check.
  const check = () => closeIfTooMuch(connection);
  socket.on('message', check).on('ping', check);
}

/** Closes the socket at once if too many bytes wait. Must be called before anything is sent. */
export function closeIfTooMuch(connection: SocketConnection): void {
  if (exceedsBuffer(connection.extra.tcpSocket)) closeSlow(connection);
}

function closeSlow(connection: SocketConnection): void {
  closeSocket(connection, TOO_SLOW_CODE, TOO_SLOW);
}
