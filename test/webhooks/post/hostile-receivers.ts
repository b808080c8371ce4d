// Receivers that answer webhooks incorrectly, directly over TCP.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certified } from './certificates.ts';

export interface HostileReceiver {
  readonly port: number;
  /** Number of open connections. */
  open(): number;
  close(): Promise<void>;
}

type Behaviour = (socket: Socket) => void;

/** Listens on the loopback address and calls `behave` for every connection. */
export async function startHostile(behave: Behaviour): Promise<HostileReceiver> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    // Close the socket when the client ends: a half-open socket would count as a connection in use.
    socket.on('end', () => socket.destroy());
    behave(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    open() {
      // A socket that is not read does not notice that the client has closed it.
      for (const socket of sockets) socket.resume();
      return sockets.size;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Reads the request, and answers with the given bytes at once. */
export const answers =
  (...parts: string[]): Behaviour =>
  (socket) =>
    socket.once('data', () => socket.write(parts.join('')));

/** Answers with the given bytes, and then closes: normally or with a reset. */
export const answersAndCloses =
  (bytes: string, how: 'end' | 'reset'): Behaviour =>
  (socket) =>
    socket.once('data', () => {
      const closeSocket = () => (how === 'end' ? socket.end() : socket.resetAndDestroy());
      if (bytes === '') closeSocket();
      else socket.write(bytes, closeSocket);
    });

/** Answers with `beginning`, and then repeats `repeated` as fast as the client reads. */
export const floods =
  (beginning: string, repeated: string): Behaviour =>
  (socket) => {
    const block = repeated.repeat(Math.ceil(16_384 / repeated.length));
    const writeAll = () => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.once('data', () => {
      socket.write(beginning);
      socket.on('drain', writeAll);
      writeAll();
    });
  };

/** Answers with `beginning`, and then sends `repeated` every 10 ms. */
export const dribbles =
  (beginning: string, repeated: string): Behaviour =>
  (socket) => {
    socket.once('data', () => {
      socket.write(beginning);
      const timer = setInterval(() => socket.write(repeated), 10);
      socket.on('close', () => clearInterval(timer));
    });
    socket.resume();
  };

/** Accepts the connection and reads nothing. */
export const neverReads: Behaviour = (socket) => {
  socket.pause();
};

export const breaksAtOnce: Behaviour = (socket) => {
  socket.resetAndDestroy();
};

/** A TLS server whose connection breaks after it has sent `afterBytes` bytes. */
export function breaksInTls(certified: Certified, afterBytes: number, how: 'end' | 'reset'): Behaviour {
  return (socket) => {
    const server = createTlsServer(certified, (inner) => {
      inner.on('error', () => undefined);
      inner.once('data', () =>
        inner.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok'),
      );
    }).listen(0, '127.0.0.1');
    server
      .on('tlsClientError', () => undefined)
      .once('listening', () => {
        const upstream = connect((server.address() as { port: number }).port, '127.0.0.1');
        let remaining = afterBytes;
        upstream
          .on('error', () => undefined)
          .on('data', (bytes) => {
            const passed = bytes.subarray(0, remaining);
            remaining -= passed.length;
            socket.write(passed);
            if (remaining > 0) return;
            upstream.destroy();
            if (how === 'end') socket.end();
            else socket.resetAndDestroy();
          });
        socket.on('data', (bytes) => upstream.write(bytes));
        socket.on('close', () => {
          upstream.destroy();
          server.close();
        });
      });
  };
}
