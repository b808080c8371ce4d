import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { commandLineOf } from './command-line.ts';

const STOP_TIMEOUT_MS = 10_000;

/**
 * Stops the server that a killed process of dues left running on a data folder. The caller must
 * make sure that no process of dues uses the folder.
 *
 * @throws Error if it cannot be stopped
 */
export async function stopOrphan(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid');
  const pidFile = await readFile(file, 'utf8').catch(() => null);
  if (pidFile === null) return;
  const pid = Number(pidFile.split('\n', 1)[0]);
  const command = await commandLineOf(pid);
  // PostgreSQL itself takes over the lock file of a process that no longer exists.
  if (command === undefined) return;
  if (!command.includes('postgres') || !`${command} `.includes(` -D ${folder} `)) {
    // Another process has this id, for example after a restart of the machine.
    await rm(file, { force: true });
    return;
  }
  process.kill(pid, 'SIGINT');
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while (await doesExist(file)) {
    if (performance.now() > deadline) throw new Error(`an older server (pid ${pid}) does not stop`);
    await wait(20);
  }
}

function doesExist(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
