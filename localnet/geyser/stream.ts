import { Metadata, type ServerDuplexStream } from '@grpc/grpc-js';
import type { SubscribeRequest } from '@triton-one/yellowstone-grpc';
import type { Commitment } from '../accounts.ts';
import { type Failure, failureOf, LAGGED } from './failures.ts';
import type { Feed } from './feed.ts';
import { compileFilter, EMPTY_FILTER, type Filter } from './filter.ts';
import { OutgoingQueue } from './outgoing-queue.ts';
import { decodeRequest } from './request.ts';
import { encodeBare, type Update } from './updates.ts';

const PING_INTERVAL_MS = 10_000;

/** A Subscribe call. Both directions carry the wire bytes of protobuf messages. */
export type SubscribeCall = ServerDuplexStream<Buffer, Uint8Array>;

/**
 * One stream: its request and the messages that it has not sent yet. An error in handling a request
 * or an update ends only this stream.
 */
export class SubscriberStream {
  #call: SubscribeCall;
  #feed: Feed;
  #filter: Filter = EMPTY_FILTER;
  #queue: OutgoingQueue;
  #open = true;
  #ping: NodeJS.Timeout;
  #stopListening: () => void;
  #onClose: () => void;

  /** `onClose` is called once, whichever side ends the stream. */
  constructor(call: SubscribeCall, feed: Feed, maxBufferedUpdates: number, onClose: () => void) {
    this.#call = call;
    this.#feed = feed;
    this.#onClose = onClose;
    this.#queue = new OutgoingQueue((bytes) => call.write(bytes), maxBufferedUpdates);
    call.on('drain', () => this.#guard(() => this.#queue.resume()));
    call.on('data', (bytes: Buffer) => this.#onRequest(bytes));
    call.on('cancelled', () => this.#close());
    // A client that sends no more requests still receives updates, so 'end' changes nothing.

    // Clients wait for the headers, which gRPC would otherwise send with the first update.
    call.sendMetadata(new Metadata());
    this.#stopListening = feed.listen((commitment, updates) => this.#onUpdates(commitment, updates));
    // Pings detect dead connections of streams whose filters match nothing. The first is sent at
    // once.
    const ping = () => this.#send(encodeBare({ ping: {}, createdAt: new Date() }));
    ping();
    this.#ping = setInterval(ping, PING_INTERVAL_MS);
  }

  /** Ends the stream with the failure, or normally without one. */
  end(failure?: Failure): void {
    if (!this.#open) return;
    this.#close();
    if (failure) this.#call.emit('error', failure);
    else this.#call.end();
  }

  #onRequest(bytes: Buffer): void {
    if (this.#open) this.#guard(() => this.#applyRequest(decodeRequest(bytes)));
  }

  #applyRequest(request: SubscribeRequest): void {
    const filter = compileFilter(request);
    // A request with a ping is only a ping, whatever else it contains.
    if (request.ping) {
      this.#send(encodeBare({ pong: { id: request.ping.id }, createdAt: new Date() }));
      return;
    }
    this.#filter = filter;
    if (request.fromSlot === undefined) return;
    const updates = this.#feed.replay(request.fromSlot, filter.commitment);
    if ('code' in updates) this.end(updates);
    else this.#queue.pushLazily(messagesOf(updates, filter));
  }

  #onUpdates(commitment: Commitment, updates: readonly Update[]): void {
    if (commitment !== this.#filter.commitment) return;
    this.#guard(() => {
      for (const update of updates) {
        for (const message of this.#filter.messagesOf(update)) this.#send(message);
      }
    });
  }

  #guard(action: () => void): void {
    try {
      action();
    } catch (cause) {
      this.end(failureOf(cause));
    }
  }

  #send(bytes: Uint8Array): void {
    if (this.#open && !this.#queue.push(bytes)) this.end(LAGGED);
  }

  #close(): void {
    if (!this.#open) return;
    this.#open = false;
    clearInterval(this.#ping);
    this.#stopListening();
    this.#queue.clear();
    this.#onClose();
  }
}

function* messagesOf(updates: Iterable<Update>, filter: Filter): Generator<Uint8Array> {
  for (const update of updates) yield* filter.messagesOf(update);
}
