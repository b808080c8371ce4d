import type { ChaosWorld } from '../world.ts';

export type FaultName =
  | 'worker killed'
  | 'indexer killed'
  | 'api killed'
  | 'worker stopped'
  | 'indexer stopped'
  | 'worker frozen'
  | 'leader split'
  | 'PostgreSQL killed'
  | 'PostgreSQL stopped at once'
  | 'PostgreSQL connections cut'
  | 'Redis restarted'
  | 'Redis killed'
  | 'Redis emptied'
  | 'stream cut'
  | 'stream ended'
  | 'stream skipped slots'
  | 'stream doubled'
  | 'stream reordered'
  | 'RPC answered 429'
  | 'RPC answered 500'
  | 'RPC limited inside of 200'
  | 'RPC hung'
  | 'RPC torn off'
  | 'RPC lagged'
  | 'transactions dropped'
  | 'transactions lost for good'
  | 'transactions late'
  | 'merchant answered 500'
  | 'merchant hung';

/** A planned fault of a run. */
export interface FaultOrder {
  readonly fault: FaultName;
  /** Delay after the start of the window. */
  readonly afterMs: number;
  /** The index of the process that it affects. */
  readonly choice: number;
  /** Duration of a lasting fault. */
  readonly lastsMs: number;
}

export interface FaultKind {
  /**
   * Makes the fault. Resolves when it is over and the affected part runs again. Counts its effects.
   */
  readonly run: (world: ChaosWorld, order: FaultOrder) => Promise<void>;
  /** Whether it moves the chain's time. */
  readonly travels?: boolean;
  /** Whether it only affects collection, and must begin before it. */
  readonly disturbsPayments?: boolean;
  readonly needsRedis?: boolean;
}
