import { join } from 'node:path';
import { startEmbeddedDatabase } from '../../src/postgres/embedded.ts';
import { applyMigrations } from '../../src/postgres/schema-engine.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/**
 * Starts a PostgreSQL server with the schema of dues and no rows, in a folder that is removed at
 * the end.
 *
 * @param closing collects everything that must be stopped at the end
 * @param flags extra arguments of `postgres`, such as `'-c', 'name=value'`
 */
export async function startDatabase(
  closing: AsyncDisposableStack,
  flags: readonly string[] = [],
): Promise<{ readonly url: string; readonly folder: string }> {
  const folder = await temporaryFolder(closing, 'dues-database-');
  const database = await startEmbeddedDatabase({
    folder: join(folder, 'postgres'),
    persistent: false,
    flags,
  });
  closing.defer(() => database.stop());
  await applyMigrations(database.url);
  return { url: database.url, folder };
}

/** The database URL of one worker. Its connections have the worker's number in their name. */
export function namedDatabaseUrl(databaseUrl: string, worker: number): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', `worker ${worker}`);
  return url.href;
}
