import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { runSql } from '../../tools/run-sql.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A database with all migrations. Tests clone it and never write to it. */
    templateDatabaseUrl: string;
  }
}

/** Linux's file system in memory, where a clone of the template takes a tenth of the time. */
const MEMORY_FOLDER = '/dev/shm';
/** A whole run needs less than 1 GB. */
const MIN_MEMORY_BYTES = 4 * 1024 ** 3;

/** The folder for the server's data: in memory if there is room. */
async function dataParent(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(MEMORY_FOLDER);
    return bavail * bsize >= MIN_MEMORY_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}

const FOLDER_NAME = 'dues-test';

/** Removes the data of runs that were killed. Their memory would never be free again. */
async function removeLeftFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [prefix, pid] = name.split('.');
    if (prefix !== FOLDER_NAME || isRunning(Number(pid))) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user is running too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Starts one PostgreSQL server for the run. Tests clone databases from its template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { startEmbeddedDatabase } = await import('../../src/postgres/embedded.ts');
  const { applyMigrations } = await import('../../src/postgres/schema-engine.ts');
  const { connectPostgresTransport } = await import('../../src/jobs/postgres-transport.ts');
  const parent = await dataParent();
  await removeLeftFolders(parent);
  const folder = await mkdtemp(join(parent, `${FOLDER_NAME}.${process.pid}.`));
  // When the tests run as root, PostgreSQL runs as another user, which needs access to the folder.
  await chmod(folder, 0o755);
  const database = await startEmbeddedDatabase({
    folder: join(folder, 'postgres'),
    persistent: false,
    // The data need not survive a power failure. Statistics of a nearly empty table would stay when
    // the next world of the process fills it (shared-database.ts), and its plans would take minutes.
    // All files that run at the same time share the server, each with several processes of dues.
    flags: [
      ...['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'].map((name) => `${name}=off`),
      'max_connections=400',
    ].flatMap((setting) => ['-c', setting]),
  });
  await applyMigrations(database.url);
  // Each clone would otherwise run BullMQ's migrations when its first queue opens.
  await (await connectPostgresTransport(database.url, 'add')).close();
  project.provide('templateDatabaseUrl', database.url);
  return async () => {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a database with the schema and no rows. */
export async function cloneDatabase(templateUrl: string): Promise<TestDatabase> {
  const template = new URL(templateUrl);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(templateUrl);
  url.pathname = `/${name}`;
  // The files are copied as they are. By default every page goes through the log, which takes three
  // times as long.
  await runAsAdmin(
    template,
    `CREATE DATABASE ${name} TEMPLATE ${template.pathname.slice(1)} STRATEGY FILE_COPY`,
  );
  return {
    url: url.href,
    drop: () => runAsAdmin(template, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Runs a statement in the server's own database. */
export function runAsAdmin(template: URL, sql: string): Promise<void> {
  return runSql(Object.assign(new URL(template), { pathname: '/postgres' }).href, sql);
}
