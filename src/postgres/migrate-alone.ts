import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { LockPatience } from './run-script.ts';

/**
 * Held by a session while it migrates the database: the engine's own lock does not exclude a second
 * process.
 */
const TRY_LOCK = `SELECT pg_try_advisory_lock(hashtext('dues: migrate')) AS "isOurs"`;

/**
 * Migrates while no other process does. Records of unfinished migrations are deleted first: a
 * migration is recorded in its own transaction (`booking`), so an interrupted one has changed
 * nothing. A migration that still runs on the server is waited for. One outside a transaction may
 * run again.
 */
export async function migrateAlone<T>(
  connectionString: string,
  patience: Pick<LockPatience, 'pauseMs' | 'onWait'>,
  migrate: () => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString });
  // If the connection breaks, the engine's breaks too and reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await untilAlone(client, patience);
    await forgetUnfinished(client);
    return await migrate();
  } finally {
    await client.end();
  }
}

/**
 * Polls instead of waiting in a statement, because an index build waits for all running statements.
 */
async function untilAlone(
  client: Client,
  { pauseMs, onWait }: Pick<LockPatience, 'pauseMs' | 'onWait'>,
): Promise<void> {
  for (let attempts = 0; ; attempts += 1) {
    const { rows } = await client.query<{ isOurs: boolean }>(TRY_LOCK);
    if (rows[0]?.isOurs) return;
    if (attempts === 0) onWait?.('Another process is migrating this database: waiting for it');
    await sleep(pauseMs);
  }
}

async function forgetUnfinished(client: Client): Promise<void> {
  const { rows } = await client.query(`SELECT to_regclass('_prisma_migrations') AS "booked"`);
  if (rows[0].booked === null) return;
  await client.query(
    'DELETE FROM "_prisma_migrations" WHERE "finished_at" IS NULL AND "rolled_back_at" IS NULL',
  );
}

/**
 * First statement of a migration's transaction: if the response is lost, the row still shows
 * whether it committed.
 */
export function booking(name: string): string {
  return `UPDATE "_prisma_migrations" SET "finished_at" = now()
    WHERE "migration_name" = '${name}' AND "finished_at" IS NULL AND "rolled_back_at" IS NULL;\n`;
}
