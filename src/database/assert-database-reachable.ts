import { Client } from 'pg';
import { rootMessage } from '../chain/endpoint-words.ts';

const CONNECT_WITHIN_MS = 10_000;

/** The database is not there, or not ours to use. */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable';
}

/**
 * Asks the database once, in PostgreSQL's own words where it refuses.
 *
 * @throws DatabaseUnusable in one line, without the URL's password
 */
export async function assertDatabaseReachable(databaseUrl: string): Promise<void> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  // What breaks after the answer came concerns nobody.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT');
  } catch (cause) {
    const { host, pathname } = new URL(databaseUrl);
    throw new DatabaseUnusable(
      `The database ${pathname.slice(1)} at ${host} cannot be used (DATABASE_URL): ${rootMessage(cause)}`,
      { cause },
    );
  } finally {
    await client.end();
  }
}
