import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The command line of a running process, with spaces between its arguments; `undefined` if there is
 * no such process.
 */
export async function commandLineOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') {
    const result = await run('ps', ['-p', String(pid), '-o', 'args=']).catch(() => undefined);
    return result?.stdout.trim() || undefined;
  }
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  // The command line of a zombie process is empty.
  return line.replaceAll('\0', ' ').trim() || undefined;
}
