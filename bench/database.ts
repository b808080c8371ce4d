import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '../src/database/embedded.ts';
import { applyMigrations } from '../src/database/schema-engine.ts';

/**
 * Starts a PostgreSQL with an empty schema, in a folder that is removed in the end.
 *
 * @param closing takes what has to be stopped in the end
 * @param flags extra flags of `postgres`, `-c name=value` split into two
 */
export async function startBenchDatabase(
  closing: AsyncDisposableStack,
  flags: readonly string[] = [],
): Promise<{ readonly url: string; readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'dues-bench-'));
  await chmod(folder, 0o755);
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  const database = await startEmbeddedDatabase({
    folder: join(folder, 'postgres'),
    persistent: false,
    flags,
  });
  closing.defer(() => database.stop());
  await applyMigrations(database.url);
  return { url: database.url, folder };
}
