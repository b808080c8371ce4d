// Servers that answer webhooks incorrectly. All use TCP directly.
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

/** Listens on the loopback and calls this for every connection. */
export async function startHostile(behave: Behaviour): Promise<HostileReceiver> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    // The client's end closes the socket: otherwise a half-open socket would look like one in use.
    socket.on('end', () => socket.destroy());
    behave(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    open() {
      // A socket that is not read does not notice its end.
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

/** Reads the request and answers with these bytes at once. */
export const answers =
  (...parts: string[]): Behaviour =>
  (socket) =>
    socket.once('data', () => socket.write(parts.join('')));

/** The same, and then closes: normally or with a reset. */
export const answersAndCloses =
  (bytes: string, how: 'end' | 'reset'): Behaviour =>
  (socket) =>
    socket.once('data', () => {
      const leave = () => (how === 'end' ? socket.end() : socket.resetAndDestroy());
      if (bytes === '') leave();
      else socket.write(bytes, leave);
    });

/** Answers the beginning and then repeats the rest as fast as it is read. */
export const floods =
  (beginning: string, rest: string): Behaviour =>
  (socket) => {
    const many = rest.repeat(Math.ceil(16_384 / rest.length));
    const pour = () => {
      while (!socket.destroyed && socket.write(many));
    };
    socket.once('data', () => {
      socket.write(beginning);
      socket.on('drain', pour);
      pour();
    });
  };

/** Answers the beginning and then repeats the rest, a little at a time. */
export const dribbles =
  (beginning: string, rest: string): Behaviour =>
  (socket) => {
    socket.once('data', () => {
      socket.write(beginning);
      const timer = setInterval(() => socket.write(rest), 10);
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

/** A TLS server whose connection breaks after this many bytes of its answer. */
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
        let left = afterBytes;
        upstream
          .on('error', () => undefined)
          .on('data', (bytes) => {
            const passed = bytes.subarray(0, left);
            left -= passed.length;
            socket.write(passed);
            if (left > 0) return;
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
