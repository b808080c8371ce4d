import type { ChaosWorld } from '../world.ts';

export type FaultName =
  | 'worker killed'
  | 'indexer killed'
  | 'api killed'
  | 'worker stopped'
  | 'indexer stopped'
  | 'worker frozen'
  | 'leader split'
  | 'frozen'
  | 'silence'
  | 'PostgreSQL killed'
  | 'PostgreSQL stopped at once'
  | 'PostgreSQL connections cut'
  | 'Redis restarted'
  | 'Redis killed'
  | 'Redis emptied'
  | 'stream cut'
  | 'stream ended'
  | 'stream skipped slots'
  | 'stream duplicated'
  | 'stream reordered'
  | 'RPC answered 429'
  | 'RPC answered 500'
  | 'RPC answered 429 inside 200'
  | 'RPC hung'
  | 'RPC disconnected'
  | 'RPC behind'
  | 'transactions dropped'
  | 'transactions expired'
  | 'transactions delayed'
  | 'merchant answered 500'
  | 'merchant hung';

/** A scheduled fault of a run. */
export interface FaultOrder {
  readonly fault: FaultName;
  /** Delay after the start of the window in which the fault happens. */
  readonly afterMs: number;
  /** A random number that selects the affected process or the strength of the fault. */
  readonly choice: number;
  /** Duration of a lasting fault. */
  readonly lastsMs: number;
}

export interface FaultKind {
  /**
   * Causes the fault. Resolves when it is over and the affected part runs again. Counts its
   * effects, unless the network counts them.
   */
  readonly run: (world: ChaosWorld, order: FaultOrder) => Promise<void>;
  /** Whether the fault moves the chain's time. */
  readonly travels?: boolean;
  /** Whether the fault affects only work on payments, and must therefore begin before that work. */
  readonly disturbsPayments?: boolean;
  readonly needsRedis?: boolean;
  /** Whether the fault restarts PostgreSQL on its files. A run with a failover has none. */
  readonly restartsPostgres?: boolean;
  /**
   * Whether the fault happens after the others of its window and alone, because its recovery is
   * measured. It happens once per run, because that takes long.
   */
  readonly isAlone?: boolean;
}
