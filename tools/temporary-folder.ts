import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder that `closing` removes with its content. */
export async function temporaryFolder(closing: AsyncDisposableStack, prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  // If this is root, PostgreSQL runs as another user, which needs access to the folder.
  await chmod(folder, 0o755);
  return folder;
}
