import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The way to a PostgreSQL, which can be shut: whoever knocks then is turned away at once, and counted. */
export interface DatabaseGate {
  /** The database's address, through the gate. */
  readonly url: string;
  /** Connections that were turned away. */
  readonly turnedAway: number;
  /** Breaks every connection, and turns new ones away. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

export async function openDatabaseGate(databaseUrl: string): Promise<DatabaseGate> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isShut = false;
  let turnedAway = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    // Its other half is ended with it; whoever used it gets the error.
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    keep(socket);
    if (isShut) {
      turnedAway += 1;
      socket.resetAndDestroy();
      return;
    }
    const database = connect(Number(port), hostname);
    keep(database);
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
    get turnedAway() {
      return turnedAway;
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
