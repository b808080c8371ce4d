import { createRequire } from 'node:module';
import type yellowstone from '@triton-one/yellowstone-grpc';
import { type ReconnectOptions, SubscribeRequest, type SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { onTestFinished } from 'vitest';
import { type GeyserOptions, startGeyserServer } from '../../../localnet/geyser.ts';
import { Network } from '../../../localnet/network.ts';
import type { NetworkOptions } from '../../../localnet/network-options.ts';

type DeepPartial<T> = T extends Uint8Array | string
  ? T
  : T extends readonly (infer Item)[]
    ? DeepPartial<Item>[]
    : { [Key in keyof T]?: DeepPartial<T[Key]> };

export type Request = DeepPartial<SubscribeRequest>;
export type Client = InstanceType<typeof yellowstone.default>;

// Node and Vitest resolve the default import of this CommonJS package differently; `require` is the
// same in both.
const { default: YellowstoneClient } = createRequire(import.meta.url)(
  '@triton-one/yellowstone-grpc',
) as typeof yellowstone;

/**
 * A network whose slots the test advances, and a server for it. Both close at the end of the test.
 */
export async function startGeyser(
  options: Partial<GeyserOptions> & { network?: NetworkOptions } = {},
): Promise<{ network: Network; port: number; url: string }> {
  const network = new Network(options.network ?? {});
  const server = await startGeyserServer(network, { host: '127.0.0.1', port: 0, ...options });
  onTestFinished(() => server.close());
  return { network, port: server.port, url: `http://127.0.0.1:${server.port}` };
}

/**
 * Connects the real client. Without `reconnect` it reports the end of a stream and does not
 * reconnect.
 */
export async function connect(url: string, xToken?: string, reconnect?: ReconnectOptions): Promise<Client> {
  const client = new YellowstoneClient(url, xToken, undefined, reconnect);
  await client.connect();
  return client;
}

/** Subscribes with the real client. Resolves when the server has received the request. */
export async function subscribe(url: string, request: Request): Promise<Subscription> {
  const client = await connect(url);
  const subscription = new Subscription(
    await client.subscribe(SubscribeRequest.fromPartial(request as SubscribeRequest)),
  );
  onTestFinished(() => subscription.close());
  await subscription.settled();
  return subscription;
}

/** Subscribes with a request that ends the stream. Returns the error's text. */
export async function subscribeAndFail(url: string, request: Request): Promise<string> {
  const client = await connect(url);
  const subscription = new Subscription(
    await client.subscribe(SubscribeRequest.fromPartial(request as SubscribeRequest)),
  );
  onTestFinished(() => subscription.close());
  return subscription.ended();
}

type NativeStream = Awaited<ReturnType<Client['subscribe']>>;

/** All messages of one stream, without the server's pings. */
export class Subscription {
  readonly updates: SubscribeUpdate[] = [];
  #stream: NativeStream;
  #pongs = 0;
  #end: string | undefined;
  #change = Promise.withResolvers<void>();

  constructor(stream: NativeStream) {
    this.#stream = stream;
    stream.on('data', (update: SubscribeUpdate) => {
      update.filters.sort(); // the client sends the filters of a request in no particular order
      if (update.pong) this.#pongs = update.pong.id;
      else if (!update.ping) this.updates.push(update);
      this.#change.resolve();
    });
    stream.on('error', (error: Error) => {
      this.#end = `${error.message}: ${error.cause instanceof Error ? error.cause.message : ''}`;
      this.#change.resolve();
    });
    stream.on('end', () => {
      this.#end ??= '';
      this.#change.resolve();
    });
  }

  write(request: Request): void {
    this.#stream.write(SubscribeRequest.fromPartial(request as SubscribeRequest));
  }

  close(): void {
    this.#stream.destroy();
  }

  /** Waits until all messages that the server has sent have arrived: a pong follows them. */
  async settled(): Promise<SubscribeUpdate[]> {
    const id = this.#pongs + 1;
    this.write({ ping: { id } });
    await this.until(() => this.#pongs >= id);
    return this.updates;
  }

  /** Waits as `settled` does, and returns and removes the messages since the last call. */
  async takeUpdates(): Promise<SubscribeUpdate[]> {
    await this.settled();
    return this.updates.splice(0);
  }

  /** Waits for the end of the stream. Returns the error's text, or '' if there is none. */
  async ended(): Promise<string> {
    while (this.#end === undefined) await this.#next();
    return this.#end;
  }

  /** Waits for the condition, which is checked after every message. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#end !== undefined) throw new Error(`the stream ended: ${this.#end}`);
      await this.#next();
    }
  }

  async #next(): Promise<void> {
    await this.#change.promise;
    this.#change = Promise.withResolvers();
  }
}
