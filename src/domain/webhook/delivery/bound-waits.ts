import type { DbTransaction } from '../../../db.ts';

// Below the five seconds after which Prisma gives a transaction up: it does not stop the statement that is under way, which
// would go on holding its locks.
const STATEMENT_MS = 4000;
const LOCK_MS = 3000;

/** Lets no later statement of a transaction run, or wait for a lock, for longer than a few seconds. Before any lock that others need. */
export async function boundWaits(tx: DbTransaction): Promise<void> {
  await tx.$executeRaw`
    SELECT set_config('statement_timeout', ${String(STATEMENT_MS)}, true), set_config('lock_timeout', ${String(LOCK_MS)}, true)`;
}
