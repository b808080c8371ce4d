import type { IncomingMessage } from 'node:http';

/** The bytes of a response body that are kept. */
const KEPT_BYTES = 4096;
/** A longer response body is not read to its end. */
const MAX_BYTES = 1_048_576;
/**
 * Each chunk counts as this many bytes, so that a body sent byte by byte is not read to its end.
 */
const MAX_PIECES = 4096;

/** The beginning of a response body, which can be read while the body still arrives. */
export class AnswerStart {
  readonly #response: IncomingMessage;
  readonly #kept: Buffer[] = [];
  #length = 0;
  #pieces = 0;

  constructor(response: IncomingMessage) {
    this.#response = response;
  }

  /**
   * Reads the body to its end, so that the connection can be reused, unless it is too long. If the
   * body ends early, the part that arrived is kept: only the status matters. Reads by the event
   * `data`, which is emitted per chunk; an iterator would join chunks.
   */
  read(): Promise<void> {
    const response = this.#response;
    const { promise, resolve } = Promise.withResolvers<void>();
    response.on('data', (chunk: Buffer) => {
      if (this.#length < KEPT_BYTES) this.#kept.push(chunk);
      this.#length += chunk.length;
      this.#pieces++;
      if (this.isTooLong) response.destroy();
    });
    response.on('close', resolve).on('end', resolve);
    return promise;
  }

  get isTooLong(): boolean {
    return this.#length > MAX_BYTES || this.#pieces > MAX_PIECES;
  }

  /** Completes a message such as "answered 200, but ...". */
  get tooLongInWords(): string {
    return this.#length > MAX_BYTES
      ? `with more than ${MAX_BYTES / 1_048_576} MB`
      : `in more than ${MAX_PIECES} pieces`;
  }

  /** Its first 4 kB, without NUL, which PostgreSQL cannot store in text. */
  get text(): string {
    return Buffer.concat(this.#kept).subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\u{fffd}');
  }
}
