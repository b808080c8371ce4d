import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { commandLineOf } from './command-line.ts';

const ENDS_WITHIN_MS = 10_000;

/**
 * Stops the server that a killed process left running on a data folder of ours. The caller must
 * know that no process of ours uses the folder.
 *
 * @throws Error if it cannot be stopped
 */
export async function stopOrphan(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid');
  const held = await readFile(file, 'utf8').catch(() => null);
  if (held === null) return;
  const pid = Number(held.split('\n', 1)[0]);
  const command = await commandLineOf(pid);
  // PostgreSQL itself takes over the lock of a process that no longer exists.
  if (command === undefined) return;
  if (!command.includes('postgres') || !`${command} `.includes(` -D ${folder} `)) {
    // After a restart of the machine another process has the id.
    await rm(file, { force: true });
    return;
  }
  process.kill(pid, 'SIGINT');
  const deadline = performance.now() + ENDS_WITHIN_MS;
  while (await isThere(file)) {
    if (performance.now() > deadline) throw new Error(`an older server (pid ${pid}) does not stop`);
    await wait(20);
  }
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
