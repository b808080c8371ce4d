import { Client } from 'pg';
import { TOO_MANY_ADVICE } from '../config/too-many-advice.ts';
import { rootMessage } from '../observability/public-urls.ts';

const CONNECT_WITHIN_MS = 10_000;

/** The database is unreachable or refuses us. */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable';
}

/** PostgreSQL's error code for too many connections. */
const TOO_MANY_CONNECTIONS = '53300';

function advice(cause: unknown): string {
  if ((cause as { readonly code?: string }).code !== TOO_MANY_CONNECTIONS) return '';
  return `. ${TOO_MANY_ADVICE}`;
}

/**
 * Connects to the database once; a refusal is reported in PostgreSQL's own words.
 *
 * @throws DatabaseUnusable with one line, without the URL's password
 */
export async function assertDatabaseReachable(databaseUrl: string, variable = 'DATABASE_URL'): Promise<void> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  // Errors after the response are irrelevant.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT');
  } catch (cause) {
    const { host, pathname } = new URL(databaseUrl);
    throw new DatabaseUnusable(
      `The database ${pathname.slice(1)} at ${host} cannot be used (${variable}): ${rootMessage(cause)}${advice(cause)}`,
      { cause },
    );
  } finally {
    await client.end();
  }
}
