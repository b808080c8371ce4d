import { BillingError } from '../../../errors.ts';

/**
 * Maximum live streams in one process for one merchant and environment, or for one address without
 * a key.
 */
const MAX_STREAMS = 10_000;

/**
 * Counts the open live streams of each caller in this process, so that no caller can use all
 * memory.
 */
export class StreamCounts {
  readonly #open = new Map<string, number>();

  /**
   * Adds a stream for the caller. Returns a function that removes it once.
   *
   * @throws BillingError rate_limit_exceeded if the caller has too many streams
   */
  add(caller: string): () => void {
    const open = this.#open.get(caller) ?? 0;
    if (open >= MAX_STREAMS) {
      throw new BillingError(
        'rate_limit_exceeded',
        `At most ${MAX_STREAMS} live streams may be open at once: close some first.`,
      );
    }
    this.#open.set(caller, open + 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.#release(caller);
      isOpen = false;
    };
  }

  #release(caller: string): void {
    const remaining = (this.#open.get(caller) ?? 1) - 1;
    if (remaining > 0) this.#open.set(caller, remaining);
    else this.#open.delete(caller);
  }
}
