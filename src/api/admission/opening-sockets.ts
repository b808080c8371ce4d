export interface OpeningOptions {
  /** Maximum WebSockets without `connection_init`, of one address and of all addresses. */
  readonly maxPerAddress: number;
  readonly maxTotal: number;
}

const OPTIONS: OpeningOptions = { maxPerAddress: 200, maxTotal: 4_000 };

/** Limits the WebSockets that have not authenticated yet. No other limit covers them. */
export class OpeningSockets {
  readonly #options: OpeningOptions;
  readonly #open = new Map<string, number>();
  #all = 0;

  constructor(options: Partial<OpeningOptions> = {}) {
    this.#options = { ...OPTIONS, ...options };
  }

  /**
   * Counts a WebSocket of an address. Returns a function that ends the count, or undefined at the
   * maximum.
   */
  add(address: string): (() => void) | undefined {
    const { maxPerAddress, maxTotal } = this.#options;
    const open = this.#open.get(address) ?? 0;
    if (open >= maxPerAddress || this.#all >= maxTotal) return undefined;
    this.#open.set(address, open + 1);
    this.#all += 1;
    let isOpen = true;
    return () => {
      if (isOpen) this.#end(address);
      isOpen = false;
    };
  }

  #end(address: string): void {
    this.#all -= 1;
    const remaining = (this.#open.get(address) ?? 1) - 1;
    if (remaining > 0) this.#open.set(address, remaining);
    else this.#open.delete(address);
  }
}
