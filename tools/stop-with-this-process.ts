import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** Its input ends when the process that holds the other end of the pipe has ended. */
const WATCH = 'read -r line; kill -TERM "$1"';

/**
 * Makes a child process stop when this process ends, however that happens: an exception, a signal,
 * even SIGKILL. It is sent SIGTERM then.
 *
 * A shell waits at a pipe that only this process holds. Listeners of signals would not see SIGKILL,
 * and those of other libraries may end the process first.
 */
export function stopWithThisProcess(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const watch = spawn('sh', ['-c', WATCH, 'sh', String(child.pid)], {
    // In a group of its own, because Ctrl-C in a terminal ends the group of this process.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watch.unref();
  (watch.stdin as Socket).unref();
  // Otherwise the process id may belong to another process later.
  child.once('exit', () => watch.kill('SIGKILL'));
}
