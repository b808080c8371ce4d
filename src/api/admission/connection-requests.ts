import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Maximum requests of one connection that are read and not answered. Few clients send a second one
 * before the first is answered, and a proxy sends none.
 */
export const MAX_UNANSWERED = 100;

interface Request {
  readonly begin: () => void;
  readonly end: () => void;
}

/**
 * The open requests of one connection: not answered, or with an unread response. They are answered
 * one after another, so that a client which does not read has only one response in memory.
 */
export class ConnectionRequests {
  readonly #requests: Request[] = [];

  constructor(socket: Socket) {
    // Responses that wait for earlier ones get no event when the connection closes.
    socket.once('close', () => {
      for (const { end } of this.#requests.splice(0)) end();
    });
  }

  /** Whether the connection may have no further request. */
  get isFull(): boolean {
    return this.#requests.length >= MAX_UNANSWERED;
  }

  /** Calls `begin` when earlier requests are answered, and `end` once when this one has ended. */
  add(outgoing: ServerResponse, request: Request): void {
    this.#requests.push(request);
    outgoing.once('close', () => this.#next());
    if (this.#requests.length === 1) request.begin();
  }

  #next(): void {
    this.#requests.shift()?.end();
    this.#requests[0]?.begin();
  }
}
