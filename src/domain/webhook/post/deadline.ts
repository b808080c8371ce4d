import type { ClientRequest } from 'node:http';
import type { Connections } from './connections.ts';

/**
 * Ends an attempt from our side, at its timeout or when the sender stops. It first ends the waiting
 * and then destroys the request, because Node does not report every end of a request by an event.
 */
export class Deadline {
  readonly seconds: number;
  /** Whether it timed out. */
  isOver = false;
  readonly #ended = Promise.withResolvers<never>();
  readonly #timer: NodeJS.Timeout;
  readonly #connections: Connections;
  readonly #end = () => this.#ended.reject(new Error('The attempt was ended.'));
  #underWay: ClientRequest | undefined;

  constructor(timeoutMs: number, connections: Connections) {
    this.seconds = timeoutMs / 1000;
    this.#connections = connections;
    // Without this, a rejection that nothing awaits would be unhandled.
    this.#ended.promise.catch(() => this.#underWay?.destroy());
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#end();
    }, timeoutMs);
    connections.onClose(this.#end);
  }

  /** Sets the request that is destroyed at the deadline. */
  covers(request: ClientRequest): void {
    this.#underWay = request;
  }

  /** Waits for a promise. Rejects at the deadline. */
  limit<T>(something: Promise<T>): Promise<T> {
    return Promise.race([this.#ended.promise, something]);
  }

  /** Ends the deadline, because the attempt is over. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#connections.offClose(this.#end);
  }
}
