const WINDOW_MS = 60_000;
/** Maximum wrong logins per minute from one address. */
export const MAX_GUESSES_PER_ADDRESS = 10;
/** Maximum wrong logins per minute from all addresses together. */
export const MAX_GUESSES_IN_TOTAL = 100;

/**
 * Limits wrong logins. An address that reaches its limit is refused until the next minute, even
 * with the right login. So are all addresses once they reach the limit for all together, which also
 * bounds the memory used.
 */
export class GuessLimit {
  readonly #byAddress = new Map<string, number>();
  #window = 0;
  #total = 0;

  /** Seconds until this address may log in again; undefined if it may now. */
  refusalSeconds(address: string): number | undefined {
    const now = performance.now();
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#total = 0;
      this.#byAddress.clear();
    }
    const count = this.#byAddress.get(address) ?? 0;
    if (this.#total < MAX_GUESSES_IN_TOTAL && count < MAX_GUESSES_PER_ADDRESS) return undefined;
    return Math.ceil(((window + 1) * WINDOW_MS - now) / 1_000);
  }

  /** Counts a wrong login that was not refused. */
  countWrongLogin(address: string): void {
    this.#total += 1;
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1);
  }
}
