import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** As in the first line of `bin/dues.ts`. */
export const DUES_FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16'];

/**
 * Runs a module of this folder in a separate process, with messages in both directions.
 *
 * @param stdout the file for its output; by default it prints here
 */
export function forkModule(path: `./${string}.ts`, stdout?: number): ChildProcess {
  return fork(fileURLToPath(new URL(path, import.meta.url)), {
    execArgv: [...DUES_FLAGS, '--expose-gc'],
    serialization: 'advanced',
    stdio: ['ignore', stdout ?? 'inherit', 'inherit', 'ipc'],
  });
}

/** Sends one message and waits for one. Must not be called concurrently. */
export async function ask<T>(child: ChildProcess, question: object | string): Promise<T> {
  child.send(question);
  const [answer] = await once(child, 'message');
  return answer as T;
}

/** Disconnects it and waits until it has ended. */
export async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}
