/** What can go wrong with a call of an RPC method instead of its answer. */
export type MethodFault = 'rate-limit' | 'server-error' | 'timeout' | 'disconnect';

/**
 * What `localnet_setFaults` accepts; every field may be left out and then stays as it is. All faults are off until set.
 */
export interface FaultSettings {
  /** The next n sent transactions are answered with their signature and never land. */
  readonly dropTransactions?: number;
  /** Every transaction sent from now on lands this many slots later; 0 ends it. */
  readonly delayLandingSlots?: number;
  /** By RPC method name (or `*` for any): the next `times` calls are answered with 429, 500, no answer at all, or a torn connection. */
  readonly methods?: Readonly<Record<string, { readonly fault: MethodFault; readonly times: number }>>;
  readonly streams?: StreamFaultSettings;
}

export interface StreamFaultSettings {
  /** True: all Yellowstone streams end now with UNAVAILABLE, as when a server dies. */
  readonly cut?: boolean;
  /** True: all Yellowstone streams end now without an error. */
  readonly end?: boolean;
  /** Updates of the next n slots are left out of every stream, without a word. */
  readonly skipSlots?: number;
  /** While true every account and transaction update is sent twice. */
  readonly duplicate?: boolean;
  /** While true updates that belong to one slot are sent in reversed order, when the slot is complete. */
  readonly reorder?: boolean;
}

/** Which faults are set, and how many of each are left. */
export class Faults {
  #dropTransactions = 0;
  #delayLandingSlots = 0;
  #methods = new Map<string, { fault: MethodFault; times: number }>();
  #streamListeners = new Set<(settings: StreamFaultSettings) => void>();

  set(settings: FaultSettings): void {
    this.#dropTransactions = settings.dropTransactions ?? this.#dropTransactions;
    this.#delayLandingSlots = settings.delayLandingSlots ?? this.#delayLandingSlots;
    for (const [method, { fault, times }] of Object.entries(settings.methods ?? {})) {
      if (times > 0) this.#methods.set(method, { fault, times });
      else this.#methods.delete(method);
    }
    if (settings.streams) for (const listener of this.#streamListeners) listener(settings.streams);
  }

  /** How many slots later a transaction lands (0: at once), or that it never does. Uses up a drop. */
  fateOfTransaction(): number | 'drop' {
    if (this.#dropTransactions > 0) {
      this.#dropTransactions -= 1;
      return 'drop';
    }
    return this.#delayLandingSlots;
  }

  /** The fault that a call of the method meets, if any. Uses it up. */
  takeMethodFault(method: string): MethodFault | undefined {
    for (const key of [method, '*']) {
      const entry = this.#methods.get(key);
      if (!entry) continue;
      entry.times -= 1;
      if (entry.times === 0) this.#methods.delete(key);
      return entry.fault;
    }
    return undefined;
  }

  /** Calls `listener` whenever stream faults are set; returns how to stop listening. */
  onStreamFault(listener: (settings: StreamFaultSettings) => void): () => void {
    this.#streamListeners.add(listener);
    return () => this.#streamListeners.delete(listener);
  }
}
