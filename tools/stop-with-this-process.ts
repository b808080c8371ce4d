import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** Reads until the other end of the pipe is closed, which is when this process ends. */
const WATCH = 'read -r line; kill -TERM "$1"';

/**
 * Sends SIGTERM to a child process when this process ends for any reason: an exception, a signal,
 * even SIGKILL.
 *
 * A shell waits at a pipe that only this process holds. Signal listeners would not do: they are not
 * called for SIGKILL, and those of other libraries may end the process first.
 */
export function stopWithThisProcess(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const watch = spawn('sh', ['-c', WATCH, 'sh', String(child.pid)], {
    // The shell needs its own process group, because Ctrl-C in a terminal ends this process's
    // group.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watch.unref();
  (watch.stdin as Socket).unref();
  // The shell is ended with the child, because the child's process id may be reused later.
  child.once('exit', () => watch.kill('SIGKILL'));
}
