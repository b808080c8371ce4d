import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A TCP proxy that can fall silent like a network that drops all packets: it forwards nothing, and
 * neither side gets a FIN or RST. Connections that were open during the silence stay dead. Those
 * that were paused go on.
 */
export class SilentProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #links: Set<Link>;
  readonly #state: State;

  private constructor(server: Server, links: Set<Link>, state: State) {
    this.#server = server;
    this.#links = links;
    this.#state = state;
    this.port = (server.address() as AddressInfo).port;
  }

  /** Starts a proxy to a port of this machine. */
  static async start(targetPort: number): Promise<SilentProxy> {
    const links = new Set<Link>();
    const state: State = { isSilent: false, isPaused: false, targetPort };
    const server = createServer({ allowHalfOpen: true }, (client) => {
      const link = new Link(client, state.isSilent ? undefined : state.targetPort);
      if (state.isPaused) link.pause();
      links.add(link);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SilentProxy(server, links, state);
  }

  /** The URL of a server, through the proxy. */
  urlOf(targetUrl: string): string {
    const url = new URL(targetUrl);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  /** The number of connections that were ever accepted. */
  get accepted(): number {
    return this.#links.size;
  }

  /** Stops forwarding. New connections are accepted and get no answer. */
  silence(): void {
    this.#state.isSilent = true;
    for (const link of this.#links) link.die();
  }

  /** Forwards new connections again, to another port if one is given. */
  serve(targetPort = this.#state.targetPort): void {
    this.#state.isSilent = false;
    this.#state.targetPort = targetPort;
  }

  /** Forwards nothing until `resume`, like a network that works again in time: no byte is lost. */
  pause(): void {
    this.#state.isPaused = true;
    for (const link of this.#links) link.pause();
  }

  resume(): void {
    this.#state.isPaused = false;
    for (const link of this.#links) link.resume();
  }

  async close(): Promise<void> {
    for (const link of this.#links) link.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

interface State {
  isSilent: boolean;
  isPaused: boolean;
  /** Where new connections go. */
  targetPort: number;
}

/** A connection of a client, and the one to the server that belongs to it. */
class Link {
  readonly #client: Socket;
  readonly #server: Socket | undefined;
  #isDead = false;

  /** @param targetPort undefined if the connection is dead from the beginning */
  constructor(client: Socket, targetPort: number | undefined) {
    this.#client = client.on('error', () => undefined);
    if (targetPort === undefined) return;
    const server = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
    this.#server = server.on('error', () => undefined);
    this.#forward(client, server);
    this.#forward(server, client);
  }

  #forward(from: Socket, to: Socket): void {
    from.on('data', (bytes) => {
      if (!this.#isDead) to.write(bytes);
    });
    from.on('end', () => {
      if (!this.#isDead) to.end();
    });
    from.on('close', () => {
      if (!this.#isDead) to.destroy();
    });
  }

  pause(): void {
    this.#client.pause();
    this.#server?.pause();
  }

  resume(): void {
    this.#client.resume();
    this.#server?.resume();
  }

  die(): void {
    this.#isDead = true;
  }

  destroy(): void {
    this.#client.destroy();
    this.#server?.destroy();
  }
}
