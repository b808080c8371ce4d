import type { Socket } from 'node:net';
import type { Logger } from '../../log.ts';

/**
 * Bytes that may wait for a reader: more than a large answer has. A stream waits with one message, so this much is a
 * reader who asks and asks and does not listen.
 */
const MAX_WAITING_BYTES = 4_194_304;
/** How long what waits may wait without a byte being taken. */
const STALLED_MS = 10_000;
/** How long a reader who was cut off has for reading the reason. */
const READ_REASON_MS = 20_000;
const LOOK_EVERY_MS = 1_000;

interface Watched {
  readonly socket: Socket;
  readonly cutOff: () => void;
  /** Bytes that the network has taken so far, and since when it is that many. */
  taken: number;
  since: number;
  isCutOff: boolean;
}

/**
 * Cuts off whoever does not read what it asked for: for as long as it does not, the answer is kept here. First comes the
 * reason, for those who go on reading; then the connection is closed.
 */
export class SlowReaders {
  readonly #log: Logger;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Calls `cutOff` once when the socket's other end is too slow. Answers with what ends the watch. */
  watch(socket: Socket, cutOff: () => void): () => void {
    const watched = { socket, cutOff, taken: 0, since: performance.now(), isCutOff: false };
    const unwatch = () => {
      socket.off('close', unwatch);
      this.#unwatch(watched);
    };
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    socket.on('close', unwatch);
    return () => {
      // Who is cut off is watched until it is gone.
      if (!watched.isCutOff) unwatch();
    };
  }

  #look(): void {
    const now = performance.now();
    for (const watched of this.#watched) {
      const { socket, isCutOff } = watched;
      const taken = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || taken > watched.taken) Object.assign(watched, { taken, since: now });
      const stalledMs = now - watched.since;
      if (isCutOff) {
        if (stalledMs > READ_REASON_MS) socket.destroy();
      } else if (stalledMs > STALLED_MS || isTooMuch(socket)) {
        Object.assign(watched, { isCutOff: true, since: now });
        this.#log.info({ waitingBytes: socket.writableLength }, 'slow reader cut off');
        watched.cutOff();
      }
    }
  }

  #unwatch(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Whether so much waits for the socket's other end that there is no point in seeing whether it reads. */
export function isTooMuch(socket: Socket): boolean {
  return socket.writableLength > MAX_WAITING_BYTES;
}
