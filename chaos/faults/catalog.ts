import type { ChaosWorld } from '../world.ts';
import { splitLeader } from './leader.ts';
import { freezeWorker, killRole, stopRole } from './processes.ts';
import { receiverFails } from './receiver.ts';
import { callsFail, nodesLag } from './rpc.ts';
import { cutConnections, emptyRedis, killRedis, restartPostgres, restartRedis } from './stores.ts';
import { breakStreams, disturbStreams } from './stream.ts';
import { delayTransactions, dropTransactions, loseTransactions } from './transactions.ts';

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

/** All faults. The report counts them by these names. */
export const FAULTS: Readonly<Record<FaultName, FaultKind>> = {
  'worker killed': { run: killRole('worker') },
  'indexer killed': { run: killRole('indexer') },
  'api killed': { run: killRole('api') },
  'worker stopped': { run: stopRole('worker') },
  'indexer stopped': { run: stopRole('indexer') },
  'worker frozen': { run: freezeWorker, travels: true },
  'leader split': { run: splitLeader },
  'PostgreSQL killed': { run: restartPostgres('SIGKILL') },
  'PostgreSQL stopped at once': { run: restartPostgres('SIGQUIT') },
  'PostgreSQL connections cut': { run: cutConnections },
  'Redis restarted': { run: restartRedis, needsRedis: true },
  'Redis killed': { run: killRedis, needsRedis: true },
  'Redis emptied': { run: emptyRedis, needsRedis: true },
  'stream cut': { run: breakStreams('cut') },
  'stream ended': { run: breakStreams('end') },
  'stream skipped slots': { run: disturbStreams('skip'), disturbsPayments: true },
  'stream doubled': { run: disturbStreams('duplicate'), disturbsPayments: true },
  'stream reordered': { run: disturbStreams('reorder'), disturbsPayments: true },
  'RPC answered 429': { run: callsFail('rate-limit'), disturbsPayments: true },
  'RPC answered 500': { run: callsFail('server-error'), disturbsPayments: true },
  'RPC limited inside of 200': { run: callsFail('rate-limit-inside'), disturbsPayments: true },
  'RPC hung': { run: callsFail('timeout'), disturbsPayments: true },
  'RPC torn off': { run: callsFail('disconnect'), disturbsPayments: true },
  'RPC lagged': { run: nodesLag, disturbsPayments: true },
  'transactions dropped': { run: dropTransactions, disturbsPayments: true },
  'transactions lost for good': { run: loseTransactions, travels: true, disturbsPayments: true },
  'transactions late': { run: delayTransactions, disturbsPayments: true },
  'merchant answered 500': { run: receiverFails('error'), disturbsPayments: true },
  'merchant hung': { run: receiverFails('hang'), disturbsPayments: true },
};
