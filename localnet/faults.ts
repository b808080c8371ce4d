/** What can go wrong with a call of an RPC method instead of its answer. */
export type MethodFault = 'rate-limit' | 'server-error' | 'timeout' | 'disconnect';

/** What can go wrong, by the word that it is counted under. */
export type FaultKind = MethodFault | 'drop' | 'delay' | 'cut' | 'end' | 'skip' | 'duplicate' | 'reorder';

/** `before`: the method is not run. `after`: it is, and then its answer is lost to the fault. */
export type FaultMoment = 'before' | 'after';

export interface MethodFaultSettings {
  readonly fault: MethodFault;
  readonly times: number;
  /** Default `before`. */
  readonly when?: FaultMoment;
}

/**
 * What `localnet_setFaults` accepts; every field may be left out and then stays as it is. All faults are off until set.
 */
export interface FaultSettings {
  /** The next n transactions that sendTransaction takes are answered with their signature and never land. */
  readonly dropTransactions?: number;
  /** Every transaction that sendTransaction takes from now on lands this many slots later; 0 ends it. */
  readonly delayLandingSlots?: number;
  /**
   * By RPC method name (or `*` for any): the next `times` calls are answered with 429, 500, no answer at all, or a torn
   * connection; with `when: 'after'` only once they are carried out, so that what was sent has landed.
   */
  readonly methods?: Readonly<Record<string, MethodFaultSettings>>;
  readonly streams?: StreamFaultSettings;
}

export interface StreamFaultSettings {
  /** True: all Yellowstone streams end now with UNAVAILABLE and WebSockets are torn, as when a server dies. */
  readonly cut?: boolean;
  /** True: all Yellowstone streams end now without an error, and WebSockets are closed with 1001. */
  readonly end?: boolean;
  /** Updates of the next n slots are left out of every Yellowstone stream, without a word. */
  readonly skipSlots?: number;
  /** While true every account and transaction update of Yellowstone is sent twice. */
  readonly duplicate?: boolean;
  /** While true Yellowstone's updates that belong to one slot are sent in reversed order, when the slot is complete. */
  readonly reorder?: boolean;
}

/** Which faults are set, and how many of each are left. */
export class Faults {
  #dropTransactions = 0;
  #delayLandingSlots = 0;
  #methods = new Map<string, { fault: MethodFault; when: FaultMoment; times: number }>();
  #streamListeners = new Set<(settings: StreamFaultSettings) => void>();
  #met = new Map<FaultKind, number>();

  /** How often each kind has really happened so far: transactions, calls, streams, blocks or updates. */
  get met(): ReadonlyMap<FaultKind, number> {
    return this.#met;
  }

  /** Counts what a fault has happened to. */
  meet(kind: FaultKind, times = 1): void {
    this.#met.set(kind, (this.#met.get(kind) ?? 0) + times);
  }

  set(settings: FaultSettings): void {
    this.#dropTransactions = settings.dropTransactions ?? this.#dropTransactions;
    this.#delayLandingSlots = settings.delayLandingSlots ?? this.#delayLandingSlots;
    for (const [method, { fault, times, when = 'before' }] of Object.entries(settings.methods ?? {})) {
      if (times > 0) this.#methods.set(method, { fault, when, times });
      else this.#methods.delete(method);
    }
    if (settings.streams) for (const listener of this.#streamListeners) listener(settings.streams);
  }

  /** How many slots later a transaction lands (0: at once), or that it never does. Uses up a drop. */
  fateOfTransaction(): number | 'drop' {
    if (this.#dropTransactions > 0) {
      this.#dropTransactions -= 1;
      this.meet('drop');
      return 'drop';
    }
    if (this.#delayLandingSlots > 0) this.meet('delay');
    return this.#delayLandingSlots;
  }

  /** The fault that a call of the method meets, if any. Uses it up. */
  takeMethodFault(method: string): { fault: MethodFault; when: FaultMoment } | undefined {
    for (const key of [method, '*']) {
      const entry = this.#methods.get(key);
      if (!entry) continue;
      entry.times -= 1;
      if (entry.times === 0) this.#methods.delete(key);
      this.meet(entry.fault);
      return { fault: entry.fault, when: entry.when };
    }
    return undefined;
  }

  /** Calls `listener` whenever stream faults are set; returns how to stop listening. */
  onStreamFault(listener: (settings: StreamFaultSettings) => void): () => void {
    this.#streamListeners.add(listener);
    return () => this.#streamListeners.delete(listener);
  }
}
