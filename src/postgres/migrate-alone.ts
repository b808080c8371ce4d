import { setTimeout as sleep } from 'node:timers/promises';
import { tryAdvisoryLock } from '../db/advisory-locks.ts';
import { BoundedClient, Patience } from '../db/bounded-connection.ts';
import type { LockPatience } from './run-script.ts';

/**
 * The lock that a session holds while it migrates the database. The engine's own lock does not
 * exclude a second process.
 */
const TRY_LOCK = `SELECT ${tryAdvisoryLock('migration')} AS "isOurs"`;

/** Long, because a statement may wait for a migration that still runs on the server. */
const ANSWER_TIMEOUT_MS = 60 * 60_000;

/**
 * Migrates while no other process does. Records of unfinished migrations are deleted first. This is
 * safe: a migration is recorded as finished in its own transaction (`finishedRecordSql`), so an
 * interrupted one has changed nothing, and one outside a transaction may run again. If a
 * migration's transaction still runs on the server, the deletion waits for it.
 */
export async function migrateAlone<T>(
  connectionString: string,
  retries: Pick<LockPatience, 'pauseMs' | 'onWait'>,
  migrate: () => Promise<T>,
): Promise<T> {
  const client = new BoundedClient({ connectionString, patience: new Patience(ANSWER_TIMEOUT_MS) });
  await client.connect();
  try {
    await acquireMigrationLock(client, retries);
    await deleteUnfinishedRecords(client);
    return await migrate();
  } finally {
    await client.end();
  }
}

/**
 * Waits for the migration lock. It polls, because an index build waits for all running statements,
 * and a statement that waits for the lock is one of them.
 */
async function acquireMigrationLock(
  client: BoundedClient,
  { pauseMs, onWait }: Pick<LockPatience, 'pauseMs' | 'onWait'>,
): Promise<void> {
  for (let attempts = 0; ; attempts += 1) {
    const { rows } = await client.query<{ isOurs: boolean }>(TRY_LOCK);
    if (rows[0]?.isOurs) return;
    if (attempts === 0) onWait?.('Another process is migrating this database: waiting for it');
    await sleep(pauseMs);
  }
}

async function deleteUnfinishedRecords(client: BoundedClient): Promise<void> {
  const { rows } = await client.query(`SELECT to_regclass('_prisma_migrations') AS "table"`);
  if (rows[0].table === null) return;
  await client.query(
    'DELETE FROM "_prisma_migrations" WHERE "finished_at" IS NULL AND "rolled_back_at" IS NULL',
  );
}

/**
 * The first statement of a migration's transaction. It records the migration as finished, so that
 * the row shows whether the transaction was committed, even if the response is lost.
 */
export function finishedRecordSql(name: string): string {
  return `UPDATE "_prisma_migrations" SET "finished_at" = now()
    WHERE "migration_name" = '${name}' AND "finished_at" IS NULL AND "rolled_back_at" IS NULL;\n`;
}
