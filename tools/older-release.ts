import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './temporary-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The last commit of 0.2.0 before payments had lines. */
export const BEFORE_LINES = 'c9fe89efb1a48b82ca73e23b036b741687c30b27';

/** Whether this clone has a commit. A shallow one may not. */
export function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Builds the server of an older release from the history, in a folder that `closing` removes. It
 * runs with the dependencies of this checkout, so their major versions must be the same.
 */
export async function buildOlderRelease(closing: AsyncDisposableStack, commit: string): Promise<string> {
  const folder = await temporaryFolder(closing, 'dues-older-');
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x'], { cwd: folder, input: archive });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  execFileSync('npm', ['run', '--silent', 'generate', '--', '--no-hints'], { cwd: folder, stdio: 'pipe' });
  return folder;
}
