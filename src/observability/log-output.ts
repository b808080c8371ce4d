import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/**
 * Number of characters at which waiting lines are written. They are written in batches, because a
 * write takes as long as ten lines.
 */
const FLUSH_CHARACTERS = 4_096;
/** Maximum time that lines wait if the output accepts them; also the time between retries. */
const FLUSH_INTERVAL_MS = 50;
/** Maximum waiting characters if the output accepts none; further lines are dropped and counted. */
const MAX_WAITING_CHARACTERS = 8 * 1024 * 1024;
/** How long the end of the process waits for a reader that does not read. */
const LAST_FLUSH_MS = 1_000;
const LAST_FLUSH_PAUSE_MS = 2;

/**
 * Standard output for log lines. No write waits for the reader of a pipe or a socket, so a log that
 * nobody reads delays nothing. What cannot be written is kept, up to a limit, and retried. The last
 * lines are written before the process ends, for which a full pipe gets a second, and any other
 * error nothing.
 */
export class LogOutput {
  readonly #onDropped: (lines: number) => void;
  /** Opened for the first line, so that an output without lines costs the process nothing. */
  #file: number | undefined;
  /** The batch that was taken and is not written completely. */
  #batch = Buffer.alloc(0);
  #waiting = '';
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #isRefused = false;

  /** @param onDropped called once lines are accepted again after some were dropped */
  constructor(onDropped: (lines: number) => void) {
    this.#onDropped = onDropped;
  }

  write(line: string): void {
    this.#file ??= this.#open();
    if (this.#batch.length + this.#waiting.length + line.length > MAX_WAITING_CHARACTERS) {
      this.#dropped += 1;
      return;
    }
    this.#waiting += line;
    if (this.#waiting.length >= FLUSH_CHARACTERS && !this.#isRefused) this.#flush();
    else this.#flushLater();
  }

  #open(): number {
    process.on('exit', () => this.#flushAtEnd());
    return openWithoutWaiting();
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#flush();
    }, FLUSH_INTERVAL_MS).unref();
  }

  #flush(): void {
    this.#isRefused = this.#writeWaiting() !== undefined;
    if (this.#isRefused) this.#flushLater();
    else this.#reportDropped();
  }

  /** Writes what waits. Returns the error's code if the output does not accept all of it. */
  #writeWaiting(): string | undefined {
    const file = this.#file;
    if (file === undefined) return undefined;
    try {
      while (this.#batch.length > 0 || this.#waiting !== '') {
        if (this.#batch.length === 0) {
          this.#batch = Buffer.from(this.#waiting);
          this.#waiting = '';
        }
        this.#batch = this.#batch.subarray(writeSync(file, this.#batch));
      }
      return undefined;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? 'unknown';
    }
  }

  #reportDropped(): void {
    if (this.#dropped === 0) return;
    const lines = this.#dropped;
    this.#dropped = 0;
    this.#onDropped(lines);
  }

  #flushAtEnd(): void {
    const deadline = performance.now() + LAST_FLUSH_MS;
    for (;;) {
      const refusal = this.#writeWaiting();
      if (refusal === undefined && this.#dropped === 0) return;
      if (refusal === undefined) this.#reportDropped();
      else if (refusal !== 'EAGAIN' || performance.now() > deadline) return;
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_FLUSH_PAUSE_MS);
    }
  }
}

/** Opens standard output so that a write to a full pipe or socket fails with EAGAIN. */
function openWithoutWaiting(): number {
  // Reading this property makes Node set a pipe or a socket to that mode.
  const { fd } = process.stdout;
  if (!fstatSync(fd).isFIFO()) return fd;
  try {
    // Other processes that write to the same pipe can change the mode of the inherited file.
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}
