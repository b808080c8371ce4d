import type { Db, DbTransaction } from './db.ts';

/**
 * Waits until the standby has everything that this process can read, if commits wait for a standby.
 * In a transaction, its commit waits.
 *
 * A commit becomes visible without its standby if its wait is cancelled, or if the primary is
 * restarted during it. What only reads such a row before it acts for others calls this first. A
 * transaction that writes or locks a row needs no call: its own commit waits.
 */
export async function awaitStandby(db: Db | DbTransaction): Promise<void> {
  // The smallest entry of the log with a commit.
  await db.$executeRaw`SELECT pg_logical_emit_message(true, 'dues', '')`;
}
