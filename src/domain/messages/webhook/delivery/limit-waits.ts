import type { DbTransaction } from '../../../../db/db.ts';

// Shorter than the limit of a transaction (`db.ts`). Prisma does not stop the running statement at
// that limit, so the statement would keep its locks.
const STATEMENT_MS = 4000;
const LOCK_MS = 3000;

/**
 * Limits how long each later statement of a transaction may run or wait for a lock. Must be called
 * before the transaction takes locks that others need.
 */
export async function limitWaits(tx: DbTransaction): Promise<void> {
  await tx.$executeRaw`
    SELECT set_config('statement_timeout', ${String(STATEMENT_MS)}, true),
      set_config('lock_timeout', ${String(LOCK_MS)}, true)`;
}
