import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stopWithThisProcess } from '../../tools/stop-with-this-process.ts';
import { LocalnetClient } from '../../tools/world/localnet-client.ts';
import { COLLECTOR } from '../../tools/world/network.ts';
import type { RolesRequest } from './roles.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const [shebang = ''] = readFileSync(new URL('../../bin/dues.ts', import.meta.url), 'utf8').split('\n');
/** Node's options in the first line of `bin/dues.ts`. */
const DUES_FLAGS = shebang.split(' ').filter((word) => word.startsWith('--'));

/**
 * Runs a module in a separate process, with messages in both directions, and with the `NODE_ENV` of
 * `bin/dues.ts`.
 *
 * @param stdout the file descriptor for its output (default: the output of this process)
 * @param flags Node's options (default: those of `dues`, and the garbage collection on demand)
 */
export function forkModule(
  module: URL,
  {
    stdout = 'inherit',
    flags = [...DUES_FLAGS, '--expose-gc'],
  }: { readonly stdout?: number | 'inherit'; readonly flags?: readonly string[] } = {},
): ChildProcess {
  return fork(fileURLToPath(module), {
    execArgv: [...flags],
    env: { ...process.env, NODE_ENV: 'production' },
    serialization: 'advanced',
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
  });
}

/**
 * Runs a module with a local network in a separate process, with Node's options of `npm run localnet`:
 * those of `dues` collect garbage more often.
 */
export function forkNetwork(module: URL): ChildProcess {
  return forkModule(module, { flags: ['--disable-warning=ExperimentalWarning'] });
}

/** Starts roles of dues in a separate process. `url` is that of the API, or empty. */
export async function startRoles(
  request: RolesRequest,
  stdout?: number,
): Promise<{ readonly process: ChildProcess; readonly url: string }> {
  const child = forkModule(new URL('./roles.ts', import.meta.url), { stdout });
  const { url } = await ask<{ url: string }>(child, request);
  return { process: child, url };
}

/**
 * Starts the worker role with all its jobs, and with Node's options of `dues`.
 *
 * @param folder of another release
 */
export function startWorker(variables: Readonly<NodeJS.ProcessEnv>, folder = ROOT): ChildProcess {
  const dues = join(folder, 'bin/dues.ts');
  const worker = spawn(process.execPath, [...DUES_FLAGS, dues, 'worker'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: process.env.PATH, LOG_LEVEL: 'error', ...variables },
  });
  stopWithThisProcess(worker);
  return worker;
}

/**
 * Starts a local network as a process, so that it does not share a thread with the load. Its
 * collector has SOL.
 */
export async function startNetworkProcess(
  closing: AsyncDisposableStack,
  connections: number,
): Promise<{
  readonly process: ChildProcess;
  readonly client: LocalnetClient;
  readonly rpcUrl: string;
  readonly geyserUrl: string;
}> {
  const child = forkNetwork(new URL('./localnet-server.ts', import.meta.url));
  closing.defer(() => stop(child));
  const [urls] = (await once(child, 'message')) as [{ rpcUrl: string; geyserUrl: string }];
  const client = new LocalnetClient(urls.rpcUrl, connections);
  closing.defer(() => client.close());
  await client.setLamports(COLLECTOR, 1_000_000_000_000);
  return { process: child, client, ...urls };
}

/** Ends a role of dues as an operator does. */
export async function terminate(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Sends a message and returns the next one received. Must not be called concurrently. */
export async function ask<T>(child: ChildProcess, question: object | string): Promise<T> {
  child.send(question);
  const [answer] = await once(child, 'message');
  return answer as T;
}

/** Disconnects a child process, and waits until it has ended. */
export async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}
