import { setTimeout as wait } from 'node:timers/promises';
import { pollUntil } from '../../tools/poll-until.ts';

/** The API allows 1,000 requests a minute of one key. */
const PAUSE_MS = 150;

/** Writes one row after the other until it is stopped, and keeps what was acknowledged. */
export class Writer {
  /** Ids of the rows. */
  readonly acknowledged: string[] = [];
  readonly #stop = new AbortController();
  readonly #writing: Promise<void>;
  /** When the newest acknowledged write began. */
  #beganAt = 0;

  /** @param write returns the id of a new row. Its errors are expected */
  constructor(write: () => Promise<string>) {
    this.#writing = this.#write(write);
  }

  /** Waits until a write is acknowledged that began after a time of `performance.now()`. */
  async acknowledgesAfter(time: number): Promise<void> {
    await pollUntil(async () => this.#beganAt > time);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#writing;
  }

  async #write(write: () => Promise<string>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const beganAt = performance.now();
      const id = await write().catch(() => undefined);
      if (id !== undefined) {
        this.acknowledged.push(id);
        this.#beganAt = beganAt;
      }
      await wait(PAUSE_MS);
    }
  }
}
