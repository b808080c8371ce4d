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
  /** Maximum unread bytes; beyond it the client is disconnected. */
  readonly maxBufferedBytes: number;
}

/** One client: its requests, its subscriptions, and its unsent messages. */
export class Connection implements Subscriber {
  #socket: WebSocket;
  #network: Network;
  #subscriptions: Subscriptions;
  #methods: RpcMethods;
  #maxBufferedBytes: number;
  #active = new Map<number, Subscription>();

  constructor(socket: WebSocket, network: Network, subscriptions: Subscriptions, options: ConnectionOptions) {
    this.#socket = socket;
    this.#network = network;
    this.#subscriptions = subscriptions;
    this.#maxBufferedBytes = options.maxBufferedBytes;
    this.#methods = this.#createMethods();
    socket.on('message', (data) => this.#onMessage(data));
    socket.on('close', () => this.#onClose());
    // The frame is invalid or too large. `close` follows.
    socket.on('error', () => socket.terminate());
  }

  send(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > this.#maxBufferedBytes) this.#socket.terminate();
    else this.#socket.send(text);
  }

  ended(subscription: Subscription): void {
    this.#active.delete(subscription.id);
    this.#subscriptions.unsubscribe(subscription, this);
  }

  #createMethods(): RpcMethods {
    const methods: Record<string, RpcMethod> = {};
    for (const topic of this.#subscriptions.topics) {
      methods[`${topic.name}Subscribe`] = withParams(...topic.arity, (_network, params) => {
        const subscription = this.#subscriptions.subscribe(topic, topic.parse(params), this);
        this.#active.set(subscription.id, subscription);
        return subscription.id;
      });
      methods[`${topic.name}Unsubscribe`] = (_network, params) => this.#unsubscribe(params);
    }
    return methods;
  }

  // Accepts the id of any subscription: a cluster does not check that it belongs to this method.
  #unsubscribe(params: readonly unknown[]): true {
    if (params.length !== 1) {
      throw invalidParams(`Invalid params: invalid length ${params.length}, expected a tuple of size 1.`);
    }
    const subscription = this.#active.get(naturalOf(params[0]));
    if (!subscription) throw invalidParams('Invalid subscription id.');
    this.ended(subscription);
    return true;
  }

  #onMessage(data: RawData): void {
    let text: string;
    try {
      // The data is a Buffer, because `binaryType` has its default.
      text = utf8.decode(data as Buffer);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#socket.close(INVALID_PAYLOAD);
      return;
    }
    void this.#answer(text);
  }

  // No method here is asynchronous, so the response is sent in the same turn of the event loop: no
  // notification can overtake the response with the subscription's id.
  async #answer(text: string): Promise<void> {
    const outcome = await dispatch(this.#network, this.#methods, text, '');
    if ('fault' in outcome) this.answerFault(outcome);
    else if (outcome.body !== '') this.send(outcome.body);
  }

  // An open socket has no HTTP status, so the faults look as they do on a provider's socket.
  answerFault({ fault, id }: Fault): void {
    const fail = (code: number, message: string) =>
      this.send(toJson({ jsonrpc: '2.0', error: { code, message }, id }));
    if (fault === 'rate-limit' || fault === 'rate-limit-inside')
      fail(429, 'Too many requests for a specific RPC call');
    if (fault === 'server-error') fail(INTERNAL_ERROR, 'Internal error');
    if (fault === 'disconnect') this.#socket.terminate();
  }

  #onClose(): void {
    for (const subscription of this.#active.values()) this.ended(subscription);
  }
}
