import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The command line of a running process, with spaces between the words; `undefined` if there is no
 * such process.
 */
export async function commandLineOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') {
    const found = await run('ps', ['-p', String(pid), '-o', 'args=']).catch(() => undefined);
    return found?.stdout.trim() || undefined;
  }
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  // A zombie process has none.
  return words.replaceAll('\0', ' ').trim() || undefined;
}
