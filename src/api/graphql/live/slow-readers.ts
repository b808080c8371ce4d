import type { Socket } from 'node:net';
import type { Logger } from '../../../observability/log.ts';

/**
 * Maximum bytes that may wait for a reader. Even a large response is smaller, and a stream has one
 * waiting message at a time. Therefore only a client that sends many operations and does not read
 * exceeds it.
 */
const MAX_WAITING_BYTES = 4_194_304;
/** A reader that takes none of its waiting bytes for this long is disconnected. */
const MAX_STALLED_MS = 10_000;
/**
 * After the cut-off the socket is destroyed if the reader takes none of its waiting bytes, for
 * example the reason, for this long.
 */
const MAX_STALLED_AFTER_CUT_OFF_MS = 20_000;
const POLL_INTERVAL_MS = 1_000;

interface WatchedSocket {
  readonly socket: Socket;
  readonly cutOff: () => void;
  /** Bytes that the network has taken so far. */
  taken: number;
  /**
   * Start of the time without progress. This is the latest of: the last check that found bytes
   * taken or none waiting, the start of the watch, and the cut-off.
   */
  since: number;
  isCutOff: boolean;
}

/**
 * Disconnects clients that do not read their responses, because unread responses stay in memory.
 * The client first gets the reason; then the connection closes.
 */
export class SlowReaders {
  readonly #log: Logger;
  readonly #watched = new Set<WatchedSocket>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Calls `cutOff` once when the peer reads too slowly. Returns a function that ends the watch. */
  watch(socket: Socket, cutOff: () => void): () => void {
    // It may have closed already, and would be watched for ever.
    if (socket.destroyed) return () => undefined;
    const watched = { socket, cutOff, taken: 0, since: performance.now(), isCutOff: false };
    const unwatch = () => {
      socket.off('close', unwatch);
      this.#unwatch(watched);
    };
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => this.#check(), POLL_INTERVAL_MS).unref();
    socket.on('close', unwatch);
    return () => {
      // A disconnected reader is watched until its socket has closed.
      if (!watched.isCutOff) unwatch();
    };
  }

  #check(): void {
    const now = performance.now();
    for (const watched of this.#watched) {
      const { socket, isCutOff } = watched;
      const taken = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || taken > watched.taken) Object.assign(watched, { taken, since: now });
      const stalledMs = now - watched.since;
      if (isCutOff) {
        if (stalledMs > MAX_STALLED_AFTER_CUT_OFF_MS) socket.destroy();
      } else if (stalledMs > MAX_STALLED_MS || exceedsBuffer(socket)) {
        Object.assign(watched, { isCutOff: true, since: now });
        this.#log.info({ waitingBytes: socket.writableLength }, 'slow reader disconnected');
        watched.cutOff();
      }
    }
  }

  #unwatch(watched: WatchedSocket): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Whether so many bytes wait that the socket must be closed at once. */
export function exceedsBuffer(socket: Socket): boolean {
  return socket.writableLength > MAX_WAITING_BYTES;
}
