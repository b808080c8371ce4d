// Reads the mirror's rows. The bench's network writes the time of each write into the account, as
// the pulled amount, so that a row shows its age.
import type { Address } from '@solana/kit';
import { Client } from 'pg';
import { PULLED_AT } from './subscription-bytes.ts';

/** The time at which the network wrote the state in each row, in unix milliseconds. */
export async function readWriteTimes(
  databaseUrl: string,
  addresses: readonly Address[],
): Promise<Map<string, number>> {
  const rows = await runQuery<{ address: string; pulled: Buffer }>(
    databaseUrl,
    `SELECT "address", substring("data" FROM ${PULLED_AT + 1} FOR 8) AS "pulled" FROM "ChainAccount"
     WHERE "environment" = 'TEST' AND "address" = ANY($1)`,
    [addresses],
  );
  return new Map(rows.map(({ address, pulled }) => [address, Number(pulled.readBigUInt64LE())]));
}

/**
 * The times of write and commit, in unix milliseconds, of all rows whose state was written since a
 * time. The database records commit times (`track_commit_timestamp`), because polling would
 * be an additional load.
 */
export async function readCommitsSince(
  databaseUrl: string,
  sinceMs: number,
): Promise<{ written: number; committed: number }[]> {
  const rows = await runQuery<{ pulled: Buffer; committed: number }>(
    databaseUrl,
    `SELECT substring("data" FROM ${PULLED_AT + 1} FOR 8) AS "pulled",
       extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS "committed"
     FROM "ChainAccount" WHERE octet_length("data") > ${PULLED_AT}`,
    [],
  );
  return rows
    .map(({ pulled, committed }) => ({ committed, written: Number(pulled.readBigUInt64LE()) }))
    .filter(({ written }) => written >= sinceMs);
}

async function runQuery<Row extends object>(
  databaseUrl: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
