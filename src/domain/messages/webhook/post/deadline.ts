import type { ClientRequest } from 'node:http';
import type { Connections } from './connections.ts';

/**
 * Ends an attempt from our side, at its timeout or when the sender stops. It first rejects the
 * promises that wait, and then destroys the request, because Node does not emit an event for every
 * end of a request.
 */
export class Deadline {
  readonly seconds: number;
  /** Whether it timed out. */
  isOver = false;
  readonly #ended = Promise.withResolvers<never>();
  readonly #timer: NodeJS.Timeout;
  readonly #connections: Connections;
  readonly #end = () => this.#ended.reject(new Error('The attempt was ended.'));
  #request: ClientRequest | undefined;

  constructor(timeoutMs: number, connections: Connections) {
    this.seconds = timeoutMs / 1000;
    this.#connections = connections;
    // Without this, a rejection that nothing awaits would be unhandled.
    this.#ended.promise.catch(() => this.#request?.destroy());
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#end();
    }, timeoutMs);
    connections.onClose(this.#end);
  }

  /** Sets the request that is destroyed at the deadline. */
  cover(request: ClientRequest): void {
    this.#request = request;
  }

  /** Waits for a promise. Rejects at the deadline. */
  limit<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([this.#ended.promise, promise]);
  }

  /** Ends the deadline, because the attempt is over. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#connections.offClose(this.#end);
  }
}
