const WINDOW_MS = 60_000;
/** Wrong logins a minute, of one address and of all together. */
export const GUESSES_OF_ONE = 10;
export const GUESSES_OF_ALL = 100;

/**
 * Limits wrong logins. An address over its limit is refused until the next minute, whatever it
 * sends, and so is everybody once all together are over theirs. Memory is bounded by that limit.
 */
export class GuessLimit {
  readonly #wrong = new Map<string, number>();
  #window = 0;
  #all = 0;

  /** Seconds after which this address may try again; undefined if it may now. */
  refusesFor(address: string): number | undefined {
    const now = performance.now();
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#all = 0;
      this.#wrong.clear();
    }
    if (this.#all < GUESSES_OF_ALL && (this.#wrong.get(address) ?? 0) < GUESSES_OF_ONE) return undefined;
    return Math.ceil(((window + 1) * WINDOW_MS - now) / 1_000);
  }

  /** Counts a wrong login that was not refused. */
  note(address: string): void {
    this.#all += 1;
    this.#wrong.set(address, (this.#wrong.get(address) ?? 0) + 1);
  }
}
