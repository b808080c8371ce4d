import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The words that a running process was started with, with spaces between; `undefined` where none of that id is found. */
export async function commandLineOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') {
    const found = await run('ps', ['-p', String(pid), '-o', 'args=']).catch(() => undefined);
    return found?.stdout.trim() || undefined;
  }
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  // A process that has ended and waits to be buried has none left.
  return words.replaceAll('\0', ' ').trim() || undefined;
}
