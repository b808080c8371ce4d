import { CONNECTION_LIMIT_ADVICE } from '../config/connection-limit-advice.ts';
import { BoundedClient, Patience } from '../db/bounded-connection.ts';
import { rootMessage } from '../observability/public-urls.ts';

const ANSWER_TIMEOUT_MS = 10_000;

/** The database is unreachable or refuses us. */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable';
}

/** Advice for the operator, by PostgreSQL's error code. */
const ADVICE: Readonly<Record<string, string>> = {
  // Too many connections.
  '53300': CONNECTION_LIMIT_ADVICE,
  // The database does not exist.
  '3D000': 'Create it with `createdb`, then run `dues migrate`',
  // A wrong password.
  '28P01': 'In a URL, characters of a password like @, /, # and % are percent-encoded',
};

function adviceFor(cause: unknown): string {
  const found = ADVICE[(cause as { readonly code?: string }).code ?? ''];
  return found ? `. ${found}` : '';
}

/**
 * Connects to the database once. The error has PostgreSQL's own message.
 *
 * @throws DatabaseUnusable with one line, without the URL's password
 */
export async function assertDatabaseReachable(databaseUrl: string, variable = 'DATABASE_URL'): Promise<void> {
  const client = new BoundedClient({
    connectionString: databaseUrl,
    patience: new Patience(ANSWER_TIMEOUT_MS),
  });
  try {
    await client.connect();
    await client.query('SELECT');
  } catch (cause) {
    const { host, pathname } = new URL(databaseUrl);
    throw new DatabaseUnusable(
      `The database ${pathname.slice(1)} at ${host} cannot be used (${variable}): ${rootMessage(cause)}${adviceFor(cause)}`,
      { cause },
    );
  } finally {
    await client.end();
  }
}
