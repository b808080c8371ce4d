// What stands in the mirror's rows. The bench's network writes the moment of each write into the account, as the amount
// that was pulled, so that a row says how old it is.
import type { Address } from '@solana/kit';
import { Client } from 'pg';
import { PULLED_AT } from './subscription-bytes.ts';

/** When the state in each row was written, by the network's word, in unix milliseconds. */
export async function writtenAt(
  databaseUrl: string,
  addresses: readonly Address[],
): Promise<Map<string, number>> {
  const rows = await query<{ address: string; pulled: Buffer }>(
    databaseUrl,
    `SELECT "address", substring("data" FROM ${PULLED_AT + 1} FOR 8) AS "pulled" FROM "ChainAccount"
     WHERE "environment" = 'TEST' AND "address" = ANY($1)`,
    [addresses],
  );
  return new Map(rows.map(({ address, pulled }) => [address, Number(pulled.readBigUInt64LE())]));
}

/**
 * When each state was written and when its row was committed, in unix milliseconds, of all states since a moment that are
 * in their rows still. The database keeps the moment of each commit (`track_commit_timestamp`): looking again and again
 * would be a load of its own.
 */
export async function commitsSince(
  databaseUrl: string,
  sinceMs: number,
): Promise<{ written: number; committed: number }[]> {
  const rows = await query<{ pulled: Buffer; committed: number }>(
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

async function query<Row extends object>(
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
