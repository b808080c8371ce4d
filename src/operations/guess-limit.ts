const WINDOW_MS = 60_000;
/** Maximum wrong logins per minute from one address. Further ones are answered with 429. */
export const MAX_GUESSES_PER_ADDRESS = 10;
/** Maximum addresses that are counted one by one. All further ones share one count. */
export const MAX_ADDRESSES = 1_000;
const FURTHER = 'further addresses';

/**
 * Counts wrong logins by address. It never concerns a right login: behind a proxy, all addresses
 * are one, and anyone could lock the operator out.
 */
export class GuessLimit {
  readonly #byAddress = new Map<string, number>();
  #window = 0;

  /** Counts a wrong login. Seconds until the next minute if there were too many; else undefined. */
  countWrongLogin(address: string): number | undefined {
    const now = performance.now();
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#byAddress.clear();
    }
    const isKnown = this.#byAddress.has(address) || this.#byAddress.size < MAX_ADDRESSES;
    const counted = isKnown ? address : FURTHER;
    const count = (this.#byAddress.get(counted) ?? 0) + 1;
    this.#byAddress.set(counted, Math.min(count, MAX_GUESSES_PER_ADDRESS + 1));
    if (count <= MAX_GUESSES_PER_ADDRESS) return undefined;
    return Math.ceil(((window + 1) * WINDOW_MS - now) / 1_000);
  }
}
