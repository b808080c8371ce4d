import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { commandLineOf } from '../command-line-of.ts';

const ENDS_WITHIN_MS = 10_000;

/**
 * Makes way on a data folder of ours: stops the server that a process left running there when it was killed. Whoever calls
 * it knows that no process of ours uses the folder.
 *
 * @throws Error where it cannot be stopped
 */
export async function stopOrphan(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid');
  const held = await readFile(file, 'utf8').catch(() => null);
  if (held === null) return;
  const pid = Number(held.split('\n', 1)[0]);
  const command = await commandLineOf(pid);
  // PostgreSQL itself takes a lock over from a process that is gone.
  if (command === undefined) return;
  if (!command.includes('postgres') || !`${command} `.includes(` -D ${folder} `)) {
    // The machine was started anew, and somebody else has the number now.
    await rm(file, { force: true });
    return;
  }
  process.kill(pid, 'SIGINT');
  const deadline = performance.now() + ENDS_WITHIN_MS;
  while (await isThere(file)) {
    if (performance.now() > deadline) throw new Error(`an older server (pid ${pid}) does not end`);
    await wait(20);
  }
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
