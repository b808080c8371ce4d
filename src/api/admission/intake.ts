import type { Socket } from 'node:net';

/** Maximum bytes per slice. */
const SLICE_BYTES = 16_384;
/** Maximum bytes per slice of a WebSocket: about fifty of the smallest messages. */
const SOCKET_SLICE_BYTES = 1_024;
/** The end of a request's head. */
const END_OF_HEAD = '\r\n\r\n';

const intakes = new WeakMap<Socket, Intake>();

/**
 * Limits how much is read from one connection. Node's parser and WebSockets process a whole read of
 * up to 64 kB, which may contain a thousand requests. This class splits a read into slices with at
 * most one request, or 1 kB of a WebSocket, each. Reading can be stopped between slices. The rest
 * stays unread in the kernel.
 *
 * 1. Bytes pass `push` in slices. While the stream flows, each slice is parsed before the next one.
 * 2. `stop` pauses the stream. Later slices wait in it, and `push` returns false, which ends
 *    reading.
 * 3. `go` resumes it: the waiting slices follow, one by one, and then reading continues.
 */
export class Intake {
  readonly #socket: Socket;
  #stops = 0;
  #isWebSocket = false;
  /**
   * The last three bytes of the previous read. The end of a head may be split between two reads.
   */
  #before = '';

  constructor(socket: Socket) {
    this.#socket = socket;
    const push = socket.push.bind(socket);
    socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
      let hasRoom = true;
      if (chunk === null || chunk.length === 0) hasRoom = push(chunk, encoding);
      for (let at = 0; chunk && at < chunk.length && !socket.destroyed; ) {
        const end = this.#endOfSlice(chunk, at);
        hasRoom = push(at === 0 && end >= chunk.length ? chunk : chunk.subarray(at, end), encoding);
        at = end;
      }
      if (chunk && !this.#isWebSocket) {
        this.#before = (this.#before + chunk.toString('latin1', Math.max(0, chunk.length - 3))).slice(-3);
      }
      return hasRoom && this.#stops === 0;
    };
    const pauseAgain = () => {
      if (this.#stops > 0) socket.pause();
    };
    // Node's server bypasses the stream unless it has a listener for data. It also resumes the
    // connection at the end of each request, and when a body is read.
    socket.on('data', pauseAgain);
    socket.on('resume', pauseAgain);
  }

  static of(socket: Socket): Intake {
    const intake = intakes.get(socket) ?? new Intake(socket);
    intakes.set(socket, intake);
    return intake;
  }

  /** Must be called when the connection has become a WebSocket. */
  becomesWebSocket(): void {
    this.#isWebSocket = true;
  }

  /** Stops reading until `go` has been called as often as `stop`. */
  stop(): void {
    this.#stops += 1;
    this.#socket.pause();
  }

  go(): void {
    this.#stops -= 1;
    if (this.#stops > 0 || this.#socket.destroyed || isPausedByNode(this.#socket)) return;
    this.#socket.resume();
  }

  #endOfSlice(chunk: Buffer, at: number): number {
    if (this.#isWebSocket) return at + SOCKET_SLICE_BYTES;
    const splitEnd = at === 0 ? (this.#before + chunk.toString('latin1', 0, 3)).indexOf(END_OF_HEAD) : -1;
    if (splitEnd >= 0) return splitEnd + END_OF_HEAD.length - this.#before.length;
    const end = chunk.indexOf(END_OF_HEAD, at, 'latin1');
    const max = at + SLICE_BYTES;
    return end < 0 ? max : Math.min(max, end + END_OF_HEAD.length);
  }
}

/** Whether Node paused a connection with unread responses. Only Node may resume it. */
function isPausedByNode(socket: Socket): boolean {
  return (socket as { _paused?: boolean })._paused === true;
}
