import { execFile } from 'node:child_process';
import { chown, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../src/postgres/embedded.ts';
import { applyMigrations } from '../src/postgres/schema-engine.ts';
import { pollUntil } from './poll-until.ts';
import { querySql, runSql } from './run-sql.ts';
import { SilentProxy } from './silent-proxy.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

const STANDBY = 'standby';
const SETTINGS = ['fsync=off', 'wal_keep_size=1GB', 'wal_retrieve_retry_interval=100ms'];

/**
 * A primary PostgreSQL server with the schema of dues, and its standby by streaming replication.
 * Nothing outside of it decides: the test promotes the standby.
 */
export interface PostgresPair {
  /** The address for dues. It leads to the primary, and after `promote` to the standby. */
  readonly url: string;
  /** The primary itself. */
  readonly primaryUrl: string;
  /** The standby itself. */
  readonly standbyUrl: string;
  /** Stops the network between the two, so the standby receives nothing more. */
  pauseStandby(): void;
  /** The standby reads what it has missed. */
  resumeStandby(): void;
  /** Ends all processes of the primary at once, as if its machine had lost its power. */
  killPrimary(): Promise<void>;
  /** The primary runs on, but nobody hears it, as if its machine had lost its network. */
  silencePrimary(): void;
  /** Makes the standby a primary that waits for nobody, and repoints `url` to it. */
  promote(): Promise<void>;
  /** Waits until the standby has everything that the primary has committed. */
  caughtUp(): Promise<void>;
}

interface PairOptions {
  /** Whether a commit waits for the standby. */
  readonly isSynchronous: boolean;
  /** Further settings of both servers, each as `name=value`. */
  readonly settings?: readonly string[];
}

/** Starts a pair from the PostgreSQL of npm. `closing` stops it and removes its files. */
export async function startPostgresPair(
  closing: AsyncDisposableStack,
  { isSynchronous, settings = [] }: PairOptions,
): Promise<PostgresPair> {
  const folder = await temporaryFolder(closing, 'dues-pair-');
  const start = async (name: string, more: readonly string[] = []) => {
    const server = await startEmbeddedDatabase({
      folder: join(folder, name),
      persistent: true,
      flags: [...SETTINGS, ...settings, ...more].flatMap((setting) => ['-c', setting]),
    });
    closing.defer(() => server.stop());
    return server;
  };
  const primary = await start('primary');
  await applyMigrations(primary.url);
  const wal = await SilentProxy.start(portOf(primary.url));
  await copyRunning(primary, join(folder, STANDBY));
  const standby = await start(STANDBY, [
    `primary_conninfo=application_name=${STANDBY} ${connectionOf(wal.urlOf(primary.url))}`,
  ]);
  const front = await SilentProxy.start(portOf(primary.url));
  // A server that stops waits for its replication to end. So the proxies are closed before.
  closing.defer(() => Promise.all([front.close(), wal.close()]).then(() => undefined));
  await pollUntil(() => holds(primary.url, "SELECT FROM pg_stat_replication WHERE state = 'streaming'"));
  if (isSynchronous) {
    await runSql(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`);
    await runSql(primary.url, 'SELECT pg_reload_conf()');
    await pollUntil(() => holds(primary.url, "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'"));
  }
  return {
    url: front.urlOf(primary.url),
    primaryUrl: primary.url,
    standbyUrl: standby.url,
    pauseStandby: () => wal.pause(),
    resumeStandby: () => wal.resume(),
    async killPrimary() {
      for (const pid of await processesOf(primary)) killIfRunning(pid);
    },
    silencePrimary() {
      front.silence();
      wal.silence();
    },
    async promote() {
      await runSql(standby.url, 'SELECT pg_promote(true, 60)');
      front.serve(portOf(standby.url));
    },
    async caughtUp() {
      const [end] = await querySql(primary.url, 'SELECT pg_current_wal_flush_lsn() AS "lsn"');
      await pollUntil(() => holds(standby.url, `SELECT WHERE pg_last_wal_replay_lsn() >= '${end?.lsn}'`));
    },
  };
}

/**
 * Copies the files of a running server and marks them as those of a standby. This is what
 * `pg_basebackup` does, which npm's PostgreSQL lacks
 * (https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP).
 */
async function copyRunning({ url, folder }: EmbeddedDatabase, target: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('standby', fast => true)");
    // As root, PostgreSQL runs as another user, which must own the files.
    await run('cp', ['-a', folder, target]);
    await rm(join(target, 'postmaster.pid'));
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)');
    const { uid, gid } = await stat(folder);
    for (const [name, content] of [
      ['backup_label', rows[0].labelfile],
      ['standby.signal', ''],
    ]) {
      await writeFile(join(target, name), content);
      await chown(join(target, name), uid, gid);
    }
  } finally {
    await client.end();
  }
}

/** The server's first process and its children. */
async function processesOf({ folder }: EmbeddedDatabase): Promise<number[]> {
  const [first = ''] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
  const { stdout } = await run('pgrep', ['-P', first]);
  return [first, ...stdout.trim().split('\n')].map(Number);
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended since it was listed.
  }
}

/** Whether a query returns a row. */
async function holds(url: string, sql: string): Promise<boolean> {
  return (await querySql(url, sql)).length > 0;
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** A URL as libpq's keywords, because a setting of PostgreSQL has no other quotes. */
function connectionOf(url: string): string {
  const { hostname, port, username, password } = new URL(url);
  return `host=${hostname} port=${port} user=${username} password=${password}`;
}
