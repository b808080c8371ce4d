import type { IncomingMessage } from 'node:http';
import { hasLongBody } from './connection-load.ts';
import { Intake } from './intake.ts';

/** Maximum chunks of one body. The largest accepted body usually has fewer than 100. */
export const MAX_PIECES = 2_000;
/** Memory of a chunk in addition to its bytes. */
const PIECE_BYTES = 300;

interface BodyOptions {
  /** Called with the memory of each chunk. */
  readonly onRead: (bytes: number) => void;
  /** Called once when the body has too many chunks. */
  readonly onTooMany: () => void;
}

/** The body of a request; undefined if it has none. */
export function bodyOf(incoming: IncomingMessage, options: BodyOptions): RequestBody | undefined {
  return hasLongBody(incoming, 0) ? new RequestBody(incoming, options) : undefined;
}

/**
 * Limits reading of a body. Nothing is read before the request begins, and a body in too many
 * chunks is not read to its end: each chunk costs some microseconds and some hundred bytes, so a
 * body in chunks of one byte costs a hundred times as much as in one chunk.
 */
export class RequestBody {
  readonly #intake: Intake;
  #isRead = false;
  #isWaiting = false;

  constructor(incoming: IncomingMessage, { onRead, onTooMany }: BodyOptions) {
    this.#intake = Intake.of(incoming.socket);
    const push = incoming.push.bind(incoming);
    let pieces = 0;
    incoming.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
      if (chunk === null) return push(chunk, encoding);
      pieces += 1;
      if (pieces > MAX_PIECES) {
        if (pieces === MAX_PIECES + 1) onTooMany();
        return false;
      }
      onRead(chunk.length + PIECE_BYTES);
      return push(chunk, encoding);
    };
  }

  /**
   * Stops reading from the connection until `read` is called. Does nothing if `read` was called
   * before.
   */
  waitUntilRead(): void {
    if (this.#isRead) return;
    this.#isWaiting = true;
    this.#intake.stop();
  }

  read(): void {
    this.#isRead = true;
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#intake.go();
  }
}
