import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy in front of PostgreSQL. While it is shut, it closes and counts new connections. */
export interface DatabaseGate {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** The number of refused connections. */
  readonly refusedCount: number;
  /** Closes every connection with an error, and refuses new ones. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

export async function openDatabaseGate(databaseUrl: string): Promise<DatabaseGate> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isShut = false;
  let refusedCount = 0;
  const track = (socket: Socket) => {
    sockets.add(socket);
    // The other socket is closed, too, and its client gets the error.
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    track(socket);
    if (isShut) {
      refusedCount += 1;
      socket.resetAndDestroy();
      return;
    }
    const database = connect(Number(port), hostname);
    track(database);
    socket.pipe(database).once('close', () => socket.destroy());
    database.pipe(socket).once('close', () => database.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const breakAll = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: url.href,
    get refusedCount() {
      return refusedCount;
    },
    shut() {
      isShut = true;
      breakAll();
    },
    open() {
      isShut = false;
    },
    async close() {
      server.close();
      breakAll();
      await once(server, 'close');
    },
  };
}
