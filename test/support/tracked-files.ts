import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);

/** The paths of all files of the repository that exist, also of new ones. */
export function trackedFiles(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const { stdout } = spawnSync('git', args, {
    cwd: fileURLToPath(ROOT),
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
  });
  return stdout.split('\n').filter((path) => path !== '' && existsSync(new URL(path, ROOT)));
}
