import type { ServerResponse } from 'node:http';

/** Maximum bytes of unread responses, of all connections. */
export const MAX_UNREAD_BYTES = 67_108_864;
/** Maximum time until a response is read completely. */
const READ_TIMEOUT_MS = 15_000;
/** Smaller responses fit into the kernel's buffer and are not counted. */
const SMALL_BYTES = 65_536;

/** Limits responses that are written but not read, because each stays in memory. */
export class UnreadAnswers {
  readonly #max: number;
  #bytes = 0;

  constructor(max = MAX_UNREAD_BYTES) {
    this.#max = max;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Closes the connection if the response is not read in time, or if with it the unread responses
   * of all connections would exceed the maximum.
   */
  watch(outgoing: ServerResponse): void {
    outgoing.once('prefinish', () => {
      const { socket } = outgoing;
      const bytes = socket?.writableLength ?? 0;
      if (!socket || bytes < SMALL_BYTES) return;
      if (this.#bytes + bytes > this.#max) {
        socket.destroy();
        return;
      }
      this.#bytes += bytes;
      const late = setTimeout(() => socket.destroy(), READ_TIMEOUT_MS).unref();
      outgoing.once('close', () => {
        clearTimeout(late);
        this.#bytes -= bytes;
      });
    });
  }
}
