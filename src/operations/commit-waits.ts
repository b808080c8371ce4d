import { BoundedClient, Patience } from '../db/bounded-connection.ts';

const ANSWER_TIMEOUT_MS = 2_000;

/** The commits that wait for a standby now. */
export interface CommitWaits {
  readonly count: number;
  /** Seconds since the statement of the oldest one began; 0 if none waits. */
  readonly longestSeconds: number;
}

/**
 * Reads the commits of our role that wait for a standby, of all processes. A connection of its own
 * reads them, because commits that wait may hold all connections of the pool.
 */
export async function readCommitWaits(databaseUrl: string): Promise<CommitWaits> {
  const client = new BoundedClient({
    connectionString: databaseUrl,
    patience: new Patience(ANSWER_TIMEOUT_MS),
  });
  try {
    await client.connect();
    const { rows } = await client.query<CommitWaits>(`
      SELECT count(*)::int AS "count",
        coalesce(max(extract(epoch FROM clock_timestamp() - query_start)), 0)::float AS "longestSeconds"
      FROM pg_stat_activity WHERE wait_event = 'SyncRep'`);
    return rows[0] as CommitWaits;
  } finally {
    await client.end();
  }
}
