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
  | 'hide'
  | 'cut'
  | 'end'
  | 'skip'
  | 'duplicate'
  | 'reorder';

/**
 * When a fault happens. `before`: the method does not run. `after`: it runs, but its result is
 * lost.
 */
export type FaultMoment = 'before' | 'after';

export interface MethodFaultSettings {
  readonly fault: MethodFault;
  readonly times: number;
  /** Default `before`. */
  readonly when?: FaultMoment;
}

/**
 * The parameters of `localnet_setFaults`. Omitted fields stay unchanged. At the start all faults
 * are off.
 */
export interface FaultSettings {
  /** The next n transactions sent with sendTransaction return their signature and never land. */
  readonly dropTransactions?: number;
  /**
   * Congestion: transactions that offer less than this many micro-lamports per compute unit return
   * their signature and never land. 0 ends the congestion.
   */
  readonly congestedBelow?: number;
  /**
   * Transactions sent with sendTransaction from now on land this many slots later. 0 ends the
   * delay.
   */
  readonly delayLandingSlots?: number;
  /**
   * While true, every node answers `getSignatureStatuses` as if no transaction had landed that was
   * not finalized when this began, as nodes do that have lost their newest history. Accounts and
   * streams stay right.
   */
  readonly hideStatuses?: boolean;
  /**
   * By RPC method name (or `*` for any). The next `times` calls get HTTP 429, an error 429 inside
   * HTTP 200 (`rate-limit-inside`), HTTP 500, no response, or a broken connection. With
   * `when: 'after'` the method runs first, so a sent transaction lands.
   */
  readonly methods?: Readonly<Record<string, MethodFaultSettings>>;
  /**
   * By node. The path of the RPC URL names the node: `http://host:port/b` is the node `b` of the
   * same cluster. `*` means every node. A node without settings has no fault.
   */
  readonly nodes?: Readonly<Record<string, NodeFaultSettings>>;
  readonly streams?: StreamFaultSettings;
}

export interface NodeFaultSettings {
  /**
   * The node answers reads, simulations and statuses with the state of this many slots ago; sent
   * transactions still land. It shows no state from before the slot that is finalized when the
   * fault is set, so it falls behind gradually. 0 ends the lag.
   */
  readonly lagSlots?: number;
  /** While true, the node breaks the connection of every RPC call. Its streams continue. */
  readonly down?: boolean;
}

/** The view of a node that is behind. */
export interface Lag {
  readonly slots: number;
  /** The newest finalized slot when the node began to lag. The node shows nothing older. */
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
  /**
   * Live updates of n slots, from the current one on, are silently left out of every Yellowstone
   * stream.
   */
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
  /** Statuses of transactions after this slot are hidden. */
  #statusesUntil: number | undefined;
  #methods = new Map<string, { fault: MethodFault; when: FaultMoment; times: number }>();
  #lags = new Map<string, Lag>();
  readonly #down = new Set<string>();
  #streamListeners = new Set<(settings: StreamFaultSettings) => void>();
  #counts = new Map<FaultKind, number>();

  /** `finalizedSlot` returns the newest finalized slot. */
  constructor(finalizedSlot: () => number) {
    this.#finalizedSlot = finalizedSlot;
  }

  /**
   * The number of transactions, calls, Yellowstone streams, blocks or updates that each kind has
   * affected.
   */
  get counts(): ReadonlyMap<FaultKind, number> {
    return this.#counts;
  }

  /** Counts a fault that has happened. */
  count(kind: FaultKind, times = 1): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + times);
  }

  set(settings: FaultSettings): void {
    this.#dropTransactions = settings.dropTransactions ?? this.#dropTransactions;
    this.#congestedBelow = settings.congestedBelow ?? this.#congestedBelow;
    this.#delayLandingSlots = settings.delayLandingSlots ?? this.#delayLandingSlots;
    if (settings.hideStatuses === true) this.#statusesUntil ??= this.#finalizedSlot();
    if (settings.hideStatuses === false) this.#statusesUntil = undefined;
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
   * The number of slots after which a transaction lands (0: at once), or `drop` if it never lands.
   * Uses up one of the drops that are set. The price is in micro-lamports per compute unit.
   */
  takeLandingDelay(computeUnitPrice: bigint): number | 'drop' {
    if (this.#dropTransactions > 0) {
      this.#dropTransactions -= 1;
      this.count('drop');
      return 'drop';
    }
    if (computeUnitPrice < BigInt(this.#congestedBelow)) {
      this.count('congested');
      return 'drop';
    }
    if (this.#delayLandingSlots > 0) this.count('delay');
    return this.#delayLandingSlots;
  }

  /** Whether nodes hide the status of a transaction that landed in this slot. */
  hidesStatusAt(slot: number): boolean {
    return this.#statusesUntil !== undefined && slot > this.#statusesUntil;
  }

  /** The fault for a call of the method, if any. Uses up one of its `times`. */
  takeMethodFault(method: string): { fault: MethodFault; when: FaultMoment } | undefined {
    for (const key of [method, '*']) {
      const entry = this.#methods.get(key);
      if (!entry) continue;
      entry.times -= 1;
      if (entry.times === 0) this.#methods.delete(key);
      this.count(entry.fault);
      return { fault: entry.fault, when: entry.when };
    }
    return undefined;
  }

  /** The lag of a node; undefined if it is not behind. */
  lagOf(node: string): Lag | undefined {
    return this.#lags.get(node) ?? this.#lags.get('*');
  }

  /** Whether the node is down. Counts the call as a fault if it is. */
  countIfDown(node: string): boolean {
    const isDown = this.#down.has(node) || this.#down.has('*');
    if (isDown) this.count('down');
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
