import type { RawData, WebSocket } from 'ws';
import type { Network } from '../network.ts';
import { dispatch, type Fault } from '../rpc/dispatch.ts';
import { toJson } from '../rpc/json.ts';
import { INTERNAL_ERROR, type RpcMethod, type RpcMethods } from '../rpc/method.ts';
import { invalidParams, naturalOf, withParams } from '../rpc/params.ts';
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
  #network: Network;
  #subscriptions: Subscriptions;
  #methods: RpcMethods;
  #maxBufferedBytes: number;
  #own = new Map<number, Subscription>();

  constructor(socket: WebSocket, network: Network, subscriptions: Subscriptions, options: ConnectionOptions) {
    this.#socket = socket;
    this.#network = network;
    this.#subscriptions = subscriptions;
    this.#maxBufferedBytes = options.maxBufferedBytes;
    this.#methods = this.#createMethods();
    socket.on('message', (data) => this.#onMessage(data));
    socket.on('close', () => this.#onClose());
    // A frame that breaks the protocol or is too large; `close` follows.
    socket.on('error', () => socket.terminate());
  }

  send(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > this.#maxBufferedBytes) this.#socket.terminate();
    else this.#socket.send(text);
  }

  ended(subscription: Subscription): void {
    this.#own.delete(subscription.id);
    this.#subscriptions.unsubscribe(subscription, this);
  }

  #createMethods(): RpcMethods {
    const methods: Record<string, RpcMethod> = {};
    for (const topic of this.#subscriptions.topics) {
      methods[`${topic.name}Subscribe`] = withParams(...topic.arity, (_network, params) => {
        const subscription = this.#subscriptions.subscribe(topic, topic.parse(params), this);
        this.#own.set(subscription.id, subscription);
        return subscription.id;
      });
      methods[`${topic.name}Unsubscribe`] = (_network, params) => this.#unsubscribe(params);
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
    void this.#answer(text);
  }

  // No method here waits for anything, so the answer leaves in the same turn of the event loop: no notification of a
  // new subscription can overtake the answer that tells the client its id.
  async #answer(text: string): Promise<void> {
    const outcome = await dispatch(this.#network, this.#methods, text);
    if ('fault' in outcome) this.#meetFault(outcome);
    else if (outcome.body !== '') this.send(outcome.body);
  }

  // As providers do it over a socket that is already open: there is no HTTP status any more to say it with.
  #meetFault({ fault, id }: Fault): void {
    const fail = (code: number, message: string) =>
      this.send(toJson({ jsonrpc: '2.0', error: { code, message }, id }));
    if (fault === 'rate-limit') fail(429, 'Too many requests for a specific RPC call');
    if (fault === 'server-error') fail(INTERNAL_ERROR, 'Internal error');
    if (fault === 'disconnect') this.#socket.terminate();
  }

  #onClose(): void {
    for (const subscription of this.#own.values()) this.ended(subscription);
  }
}
