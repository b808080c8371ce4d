import type { RawData, WebSocket } from 'ws';
import type { Network } from '../network.ts';
import { invalidParams, naturalOf, withParams } from '../rpc/params.ts';
import { answerTo, type ConnectionMethod, type ConnectionMethods } from './json-rpc.ts';
import type { Subscriber, Subscription, Subscriptions } from './subscriptions.ts';

/** Close code of RFC 6455 for text that is not UTF-8. */
const INVALID_PAYLOAD = 1007;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export interface ConnectionOptions {
  /** What may wait for a client that does not read; beyond it the client is cut off. */
  readonly maxBufferedBytes: number;
}

/** One client: its requests, its subscriptions, and the messages on their way to it. */
export class Connection implements Subscriber {
  #socket: WebSocket;
  #subscriptions: Subscriptions;
  #methods: ConnectionMethods;
  #maxBufferedBytes: number;
  #own = new Map<number, Subscription>();
  /** While a request is worked on: messages that must not overtake its answer, which tells the client their id. */
  #held: string[] | null = null;

  constructor(socket: WebSocket, network: Network, subscriptions: Subscriptions, options: ConnectionOptions) {
    this.#socket = socket;
    this.#subscriptions = subscriptions;
    this.#maxBufferedBytes = options.maxBufferedBytes;
    this.#methods = this.#createMethods(network);
    socket.on('message', (data) => this.#onMessage(data));
    socket.on('close', () => this.#onClose());
    // A frame that breaks the protocol or is too large; `close` follows.
    socket.on('error', () => socket.terminate());
  }

  send(text: string): void {
    if (this.#held) this.#held.push(text);
    else this.#write(text);
  }

  began(subscription: Subscription): void {
    this.#own.set(subscription.id, subscription);
  }

  ended(subscription: Subscription): void {
    this.#own.delete(subscription.id);
    this.#subscriptions.unsubscribe(subscription, this);
  }

  #createMethods(network: Network): ConnectionMethods {
    const methods = new Map<string, ConnectionMethod>();
    for (const topic of this.#subscriptions.topics) {
      const subscribe = withParams(...topic.arity, (_network, params) =>
        this.#subscriptions.subscribe(topic, topic.parse(params), this),
      );
      methods.set(`${topic.name}Subscribe`, (params) => subscribe(network, params));
      methods.set(`${topic.name}Unsubscribe`, (params) => this.#unsubscribe(params));
    }
    return methods;
  }

  // Whatever its kind: a cluster does not look whether the id belongs to the kind that the method names.
  #unsubscribe(params: readonly unknown[]): true {
    if (params.length !== 1) {
      throw invalidParams(`Invalid params: invalid length ${params.length}, expected a tuple of size 1.`);
    }
    const subscription = this.#own.get(naturalOf(params[0]));
    if (!subscription) throw invalidParams('Invalid subscription id.');
    this.ended(subscription);
    return true;
  }

  #onMessage(data: RawData): void {
    let text: string;
    try {
      // A Buffer, for nobody has set another `binaryType`.
      text = utf8.decode(data as Buffer);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#socket.close(INVALID_PAYLOAD);
      return;
    }
    this.#held = [];
    const answer = answerTo(text, this.#methods);
    const held = this.#held;
    this.#held = null;
    if (answer !== undefined) this.#write(answer);
    for (const message of held) this.#write(message);
  }

  #onClose(): void {
    for (const subscription of this.#own.values()) this.ended(subscription);
  }

  #write(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > this.#maxBufferedBytes) this.#socket.terminate();
    else this.#socket.send(text);
  }
}
