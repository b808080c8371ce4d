/** Faults of an RPC method. */
export type MethodFault = 'rate-limit' | 'rate-limit-inside' | 'server-error' | 'timeout' | 'disconnect';

/** All kinds of faults, with the names under which they are counted. */
export type FaultKind =
  | MethodFault
  | 'drop'
  | 'congested'
  | 'delay'
  | 'lag'
  | 'down'
  | 'forget'
  | 'cut'
  | 'end'
  | 'skip'
  | 'duplicate'
  | 'reorder';

/** `before`: the method does not run. `after`: it runs, and then its result is lost. */
export type FaultMoment = 'before' | 'after';

export interface MethodFaultSettings {
  readonly fault: MethodFault;
  readonly times: number;
  /** Default `before`. */
  readonly when?: FaultMoment;
}

/**
 * The parameters of `localnet_setFaults`; omitted fields stay unchanged. All faults are off at
 * first.
 */
export interface FaultSettings {
  /** The next n transactions sent with sendTransaction return their signature and never land. */
  readonly dropTransactions?: number;
  /**
   * Congestion: transactions that offer less than this many micro-lamports per compute unit return
   * their signature and never land; 0 ends it.
   */
  readonly congestedBelow?: number;
  /** Every later transaction sent with sendTransaction lands this many slots later; 0 ends it. */
  readonly delayLandingSlots?: number;
  /**
   * By RPC method name (or `*` for any): the next `times` calls get 429, an error 429 inside HTTP
   * 200 (`rate-limit-inside`), 500, no response, or a broken connection; with `when: 'after'` only
   * after they ran, so that a sent transaction lands.
   */
  readonly methods?: Readonly<Record<string, MethodFaultSettings>>;
  /**
   * By node, which is the path of the RPC URL: `http://host:port/b` is the node `b` of the same
   * cluster; `*` is every node. A node without settings has no fault.
   */
  readonly nodes?: Readonly<Record<string, NodeFaultSettings>>;
  readonly streams?: StreamFaultSettings;
}

export interface NodeFaultSettings {
  /**
   * The node answers reads, simulations and statuses with the state of this many slots ago; sent
   * transactions still land. It cannot show anything before the finalized slot of now, so it falls
   * behind gradually. 0 ends it.
   */
  readonly lagSlots?: number;
  /** While true, the node closes every connection. Its streams continue. */
  readonly down?: boolean;
}

/** The view of a node that is behind. */
export interface Lag {
  readonly slots: number;
  /** The newest finalized slot when the node began to lag, which is its limit. */
  readonly floor: number;
}

export interface StreamFaultSettings {
  /**
   * True: all Yellowstone streams end with UNAVAILABLE and WebSockets break, as when a server
   * crashes.
   */
  readonly cut?: boolean;
  /** True: all Yellowstone streams end without an error, and WebSockets are closed with 1001. */
  readonly end?: boolean;
  /** Updates of the next n slots are silently left out of every Yellowstone stream. */
  readonly skipSlots?: number;
  /** While true, every account and transaction update of Yellowstone is sent twice. */
  readonly duplicate?: boolean;
  /**
   * While true, Yellowstone's updates of one slot are sent in reversed order when the slot is
   * complete.
   */
  readonly reorder?: boolean;
}

/** The faults that are set, with their remaining counts. */
export class Faults {
  readonly #finalizedSlot: () => number;
  #dropTransactions = 0;
  #congestedBelow = 0;
  #delayLandingSlots = 0;
  #methods = new Map<string, { fault: MethodFault; when: FaultMoment; times: number }>();
  #lags = new Map<string, Lag>();
  readonly #down = new Set<string>();
  #streamListeners = new Set<(settings: StreamFaultSettings) => void>();
  #met = new Map<FaultKind, number>();

  /** `finalizedSlot` returns the newest finalized slot. */
  constructor(finalizedSlot: () => number) {
    this.#finalizedSlot = finalizedSlot;
  }

  /** How often each kind has happened: transactions, calls, streams, blocks or updates. */
  get met(): ReadonlyMap<FaultKind, number> {
    return this.#met;
  }

  /** Counts a fault that has happened. */
  meet(kind: FaultKind, times = 1): void {
    this.#met.set(kind, (this.#met.get(kind) ?? 0) + times);
  }

  set(settings: FaultSettings): void {
    this.#dropTransactions = settings.dropTransactions ?? this.#dropTransactions;
    this.#congestedBelow = settings.congestedBelow ?? this.#congestedBelow;
    this.#delayLandingSlots = settings.delayLandingSlots ?? this.#delayLandingSlots;
    for (const [method, { fault, times, when = 'before' }] of Object.entries(settings.methods ?? {})) {
      if (times > 0) this.#methods.set(method, { fault, when, times });
      else this.#methods.delete(method);
    }
    for (const [node, { lagSlots, down }] of Object.entries(settings.nodes ?? {})) {
      if (lagSlots) this.#lags.set(node, { slots: lagSlots, floor: this.#finalizedSlot() });
      else if (lagSlots === 0) this.#lags.delete(node);
      if (down) this.#down.add(node);
      else if (down === false) this.#down.delete(node);
    }
    if (settings.streams) for (const listener of this.#streamListeners) listener(settings.streams);
  }

  /**
   * The number of slots after which a transaction with this price lands (0: at once), or that it
   * never does. Uses up a drop.
   */
  fateOfTransaction(price: bigint): number | 'drop' {
    if (this.#dropTransactions > 0) {
      this.#dropTransactions -= 1;
      this.meet('drop');
      return 'drop';
    }
    if (price < BigInt(this.#congestedBelow)) {
      this.meet('congested');
      return 'drop';
    }
    if (this.#delayLandingSlots > 0) this.meet('delay');
    return this.#delayLandingSlots;
  }

  /** The fault for a call of the method, if any. Uses it up. */
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

  /** The lag of a node; undefined if it is not behind. */
  lagOf(node: string): Lag | undefined {
    return this.#lags.get(node) ?? this.#lags.get('*');
  }

  /** Whether the node is down. If so, the call is counted as a fault. */
  meetsDown(node: string): boolean {
    const isDown = this.#down.has(node) || this.#down.has('*');
    if (isDown) this.meet('down');
    return isDown;
  }

  /** The lags of all nodes that are behind. */
  get lags(): Iterable<Lag> {
    return this.#lags.values();
  }

  /** Calls `listener` whenever stream faults are set; returns a function that stops it. */
  onStreamFault(listener: (settings: StreamFaultSettings) => void): () => void {
    this.#streamListeners.add(listener);
    return () => this.#streamListeners.delete(listener);
  }
}
