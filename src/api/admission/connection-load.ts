import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Intake } from './intake.ts';

/** Maximum unanswered requests per connection. Few clients send a second one. */
export const MAX_UNANSWERED = 8;
/**
 * If a body is longer than this or of unknown length, its rest is not read after the response is
 * sent.
 */
const READ_TO_THE_END_BYTES = 1_048_576;

interface Request {
  readonly begin: () => void;
  readonly end: () => void;
}

/**
 * The open requests of one connection: not answered, or with an unread response. They are answered
 * one after another, so that a client which does not read has only one response in memory.
 */
export class ConnectionLoad {
  readonly #intake: Intake;
  readonly #requests: Request[] = [];

  constructor(socket: Socket) {
    this.#intake = Intake.of(socket);
    // Responses that wait for earlier ones get no event when the connection closes.
    socket.once('close', () => {
      for (const { end } of this.#requests.splice(0)) end();
    });
  }

  /** Calls `begin` when earlier requests are answered, and `end` once when this one has ended. */
  add(incoming: IncomingMessage, outgoing: ServerResponse, { begin, end }: Request): void {
    this.#requests.push({ begin, end });
    if (this.#requests.length === MAX_UNANSWERED) this.#intake.stop();
    outgoing.once('close', () => this.#next());
    // The rest of a long body is not read, and the connection is not used again.
    if (hasLongBody(incoming, READ_TO_THE_END_BYTES)) {
      outgoing.once('finish', () => {
        if (!incoming.complete) this.#intake.stop();
      });
    }
    if (this.#requests.length === 1) begin();
  }

  #next(): void {
    this.#requests.shift()?.end();
    if (this.#requests.length === MAX_UNANSWERED - 1) this.#intake.go();
    this.#requests[0]?.begin();
  }
}

/** Whether a request's body is longer than `bytes`, or its length is unknown. */
export function hasLongBody({ headers }: IncomingMessage, bytes: number): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bytes;
}
