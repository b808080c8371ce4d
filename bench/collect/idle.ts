import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '../../src/db/db.ts';
import { stop } from '../lib/child-process.ts';
import { round } from '../lib/statistics.ts';
import { startStreamWorld } from '../stream/world.ts';

const SUBSCRIPTIONS = 100_000;
/** Time for the work that follows a start. */
const SETTLE_MS = 30_000;
const MEASURED_MS = 60_000;

/**
 * Database transactions per second while all roles run idle in one process: queues on PostgreSQL,
 * and 100,000 active subscriptions that are not due for a year.
 */
export async function measureIdle() {
  await using closing = new AsyncDisposableStack();
  const world = await startStreamWorld(closing, SUBSCRIPTIONS);
  const server = await world.startServer('api', 'worker');
  closing.defer(() => stop(server.process));
  await world.waitUntilCaughtUp();
  await wait(SETTLE_MS);
  const before = await countTransactions(world.db);
  await wait(MEASURED_MS);
  const perSecond = ((await countTransactions(world.db)) - before) / (MEASURED_MS / 1_000);
  return { idle_tx_per_s: round(perSecond, 2) };
}

/** The number of transactions of this database so far. Each call adds two. */
async function countTransactions(db: Db): Promise<number> {
  await db.$executeRaw`SELECT pg_stat_clear_snapshot()`;
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT ("xact_commit" + "xact_rollback")::float8 AS "count" FROM pg_stat_database
    WHERE "datname" = current_database()`;
  return row?.count ?? 0;
}
