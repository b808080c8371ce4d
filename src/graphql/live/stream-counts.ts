import { BillingError } from '../../errors.ts';

/** Live streams of one merchant's environment (without a key: of one address) in one process. */
const MAX_STREAMS = 10_000;

/** Counts the live streams that are open in this process, so that no one caller takes all its memory. */
export class StreamCounts {
  readonly #open = new Map<string, number>();

  /**
   * One more of that caller; answers with what takes it back, once.
   *
   * @throws BillingError rate_limit_exceeded where it has as many as it may
   */
  add(caller: string): () => void {
    const open = this.#open.get(caller) ?? 0;
    if (open >= MAX_STREAMS) {
      throw new BillingError(
        'rate_limit_exceeded',
        `At most ${MAX_STREAMS} live streams may be open at once: end some first.`,
      );
    }
    this.#open.set(caller, open + 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.#takeBack(caller);
      isOpen = false;
    };
  }

  #takeBack(caller: string): void {
    const left = (this.#open.get(caller) ?? 1) - 1;
    if (left > 0) this.#open.set(caller, left);
    else this.#open.delete(caller);
  }
}
