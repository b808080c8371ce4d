import type { FaultKind, FaultName } from './fault.ts';
import { freezeLeader, splitLeader } from './leader.ts';
import { freezeWorker, killRole, stopRole } from './processes.ts';
import { failReceiver } from './receiver.ts';
import { failCalls, lagNodes } from './rpc.ts';
import { silenceDatabase } from './silence.ts';
import { cutConnections, emptyRedis, killRedis, restartPostgres, restartRedis } from './stores.ts';
import { breakStreams, disturbStreams } from './stream.ts';
import { delayTransactions, dropTransactions, expireTransactions } from './transactions.ts';

/** All faults. The report counts them by these names. */
export const FAULTS: Readonly<Record<FaultName, FaultKind>> = {
  'worker killed': { run: killRole('worker') },
  'indexer killed': { run: killRole('indexer') },
  'api killed': { run: killRole('api') },
  'worker stopped': { run: stopRole('worker') },
  'indexer stopped': { run: stopRole('indexer') },
  'worker frozen': { run: freezeWorker, travels: true },
  'leader split': { run: splitLeader },
  frozen: { run: freezeLeader, isAlone: true },
  silence: { run: silenceDatabase, isAlone: true },
  'PostgreSQL killed': { run: restartPostgres('SIGKILL'), restartsPostgres: true },
  'PostgreSQL stopped at once': { run: restartPostgres('SIGQUIT'), restartsPostgres: true },
  'PostgreSQL connections cut': { run: cutConnections },
  'Redis restarted': { run: restartRedis, needsRedis: true },
  'Redis killed': { run: killRedis, needsRedis: true },
  'Redis emptied': { run: emptyRedis, needsRedis: true },
  'stream cut': { run: breakStreams('cut') },
  'stream ended': { run: breakStreams('end') },
  'stream skipped slots': { run: disturbStreams('skip'), disturbsPayments: true },
  'stream duplicated': { run: disturbStreams('duplicate'), disturbsPayments: true },
  'stream reordered': { run: disturbStreams('reorder'), disturbsPayments: true },
  'RPC answered 429': { run: failCalls('rate-limit'), disturbsPayments: true },
  'RPC answered 500': { run: failCalls('server-error'), disturbsPayments: true },
  'RPC answered 429 inside 200': { run: failCalls('rate-limit-inside'), disturbsPayments: true },
  'RPC hung': { run: failCalls('timeout'), disturbsPayments: true },
  'RPC disconnected': { run: failCalls('disconnect'), disturbsPayments: true },
  'RPC behind': { run: lagNodes, disturbsPayments: true },
  'transactions dropped': { run: dropTransactions, disturbsPayments: true },
  'transactions expired': { run: expireTransactions, travels: true, disturbsPayments: true },
  'transactions delayed': { run: delayTransactions, disturbsPayments: true },
  'merchant answered 500': { run: failReceiver('error'), disturbsPayments: true },
  'merchant hung': { run: failReceiver('hang'), disturbsPayments: true },
};
