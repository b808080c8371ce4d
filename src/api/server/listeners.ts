import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { countAdmissionRefusal } from '../../observability/metrics/counters.ts';
import { networkOf } from '../access/caller-address.ts';

export interface ListenersOptions {
  /**
   * Maximum connections of this process. At the maximum, a new connection closes the newest
   * connection of the network with the most, if its own network has at least two fewer. Otherwise
   * the new connection is closed at once.
   */
  readonly maxConnections: number;
  /** Number of listeners. Each accepts one connection per turn of the event loop. */
  readonly count: number;
  /** Bytes of a paused connection that are buffered before the network holds back the rest. */
  readonly highWaterMark: number;
}

const DEFAULT_OPTIONS: ListenersOptions = { maxConnections: 20_000, count: 8, highWaterMark: 16_384 };

/**
 * Maximum connections that wait to be accepted by one listener. The system drops further ones, and
 * their clients retry after one second, then three. Linux allows 4,096 by default; Node's default
 * is 511.
 */
const BACKLOG = 4_096;

/**
 * Several listeners of one port for one server. The system spreads new connections over them
 * (SO_REUSEPORT). Node accepts one connection per listener and turn of its event loop. With one
 * listener, a thousand new connections and long turns would delay all others by seconds.
 */
export class Listeners {
  readonly #server: HttpServer;
  readonly #options: ListenersOptions;
  readonly #otherListeners: Server[] = [];
  readonly #socketsByNetwork = new Map<string, Set<Socket>>();
  #openCount = 0;

  constructor(server: HttpServer, options: Partial<ListenersOptions> = {}) {
    this.#server = server;
    this.#options = { ...DEFAULT_OPTIONS, ...options };
    server.prependListener('connection', (socket: Socket) => this.#admit(socket));
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#openCount;
  }

  /** @throws Error EADDRINUSE if another process listens on the port */
  async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<AddressInfo> {
    // With a shared port, another dues process on the same port would cause no error.
    if (port !== 0) await assertPortFree({ host, port });
    const shared = { host, port, backlog: BACKLOG, reusePort: true };
    await startListening(this.#server, shared).catch((error) => {
      if (error.code !== 'ENOTSUP') throw error;
      return startListening(this.#server, { ...shared, reusePort: false });
    });
    const address = this.#server.address() as AddressInfo;
    while (this.#otherListeners.length + 1 < this.#options.count) {
      const { highWaterMark } = this.#options;
      const options = { allowHalfOpen: true, noDelay: true, highWaterMark };
      const other = createServer(options, (socket) => this.#server.emit('connection', socket));
      try {
        await startListening(other, { ...shared, port: address.port });
      } catch {
        // This system cannot share a port: the open listeners have to be enough.
        break;
      }
      this.#otherListeners.push(other);
    }
    return address;
  }

  /** Accepts no more connections, and waits until all are closed. */
  async close(): Promise<void> {
    await Promise.all([this.#server, ...this.#otherListeners].map(closeServer));
  }

  #admit(socket: Socket): void {
    const address = networkOf(socket.remoteAddress ?? 'unknown');
    const own = this.#socketsByNetwork.get(address) ?? new Set();
    if (this.#openCount >= this.#options.maxConnections && !this.#makeRoom(own.size)) {
      countAdmissionRefusal('closed');
      socket.destroy();
      return;
    }
    this.#openCount += 1;
    this.#socketsByNetwork.set(address, own.add(socket));
    socket.on('close', () => this.#forget(address, socket));
  }

  #forget(address: string, socket: Socket): void {
    const sockets = this.#socketsByNetwork.get(address);
    if (!sockets?.delete(socket)) return;
    this.#openCount -= 1;
    if (sockets.size === 0) this.#socketsByNetwork.delete(address);
  }

  /**
   * Closes the newest connection of the network with the most connections, if that network has at
   * least two more than `own`. Returns whether a connection was closed.
   */
  #makeRoom(own: number): boolean {
    let busiest: [address: string, sockets: ReadonlySet<Socket>] | undefined;
    for (const entry of this.#socketsByNetwork)
      if (!busiest || entry[1].size > busiest[1].size) busiest = entry;
    if (!busiest || busiest[1].size <= own + 1) return false;
    const newest = [...busiest[1]].at(-1);
    if (!newest) return false;
    countAdmissionRefusal('closed');
    this.#forget(busiest[0], newest);
    newest.destroy();
    return true;
  }
}

async function assertPortFree(options: ListenOptions): Promise<void> {
  const server = createServer();
  await startListening(server, options);
  await closeServer(server);
}

async function startListening(server: Server | HttpServer, options: ListenOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(options, resolve);
  try {
    await promise;
  } finally {
    server.off('error', reject).off('listening', resolve);
  }
}

function closeServer(server: Server | HttpServer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  return promise;
}
