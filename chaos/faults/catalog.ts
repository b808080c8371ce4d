import type { FaultKind, FaultName } from './fault.ts';
import { splitLeader } from './leader.ts';
import { freezeWorker, killRole, stopRole } from './processes.ts';
import { receiverFails } from './receiver.ts';
import { callsFail, nodesLag } from './rpc.ts';
import { cutConnections, emptyRedis, killRedis, restartPostgres, restartRedis } from './stores.ts';
import { breakStreams, disturbStreams } from './stream.ts';
import { delayTransactions, dropTransactions, loseTransactions } from './transactions.ts';

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
