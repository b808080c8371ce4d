import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as nodeSetTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import type { Pool } from 'pg';
import { finishedRecordSql, migrateAlone } from './migrate-alone.ts';
import { MIGRATIONS_FOLDER, migrationNames } from './migrations.ts';
import { LOCK_PATIENCE, type LockPatience, OUTSIDE_A_TRANSACTION, runScript } from './run-script.ts';

const SCHEMA_FILE = fileURLToPath(new URL('../../prisma/schema.prisma', import.meta.url));
const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Applies all new migrations in order, and records them in `_prisma_migrations` exactly as `prisma
 * migrate deploy` does. Prisma's own command downloads an engine; this is the same engine as
 * WebAssembly from npm. Returns the names of the applied migrations.
 */
export async function applyMigrations(
  databaseUrl: string,
  patience: Partial<LockPatience> = {},
): Promise<string[]> {
  const retries = { ...LOCK_PATIENCE, ...patience };
  const migrationsList = await readMigrations();
  return migrateAlone(databaseUrl, retries, () =>
    withEngine(
      databaseUrl,
      async (engine) => {
        const { appliedMigrationNames } = await engine.applyMigrations({
          migrationsList,
          filters: NO_FILTERS,
        });
        return appliedMigrationNames;
      },
      (pool, script) => runScript(pool, withFinishedRecord(migrationsList, script), retries),
    ),
  );
}

/**
 * Adds the statement that records the migration as finished to its script. The engine passes the
 * script without the name of the migration.
 */
function withFinishedRecord({ migrationDirectories }: MigrationList, script: string): string {
  const migration = migrationDirectories.find(
    ({ migrationFile: { content } }) => content.tag === 'ok' && content.value === script,
  );
  return migration && !script.startsWith(OUTSIDE_A_TRANSACTION)
    ? finishedRecordSql(migration.path) + script
    : script;
}

/**
 * The SQL that creates the schema of `schema.prisma` in an empty database. The engine needs a
 * connection to a database, which may be any one and is not changed.
 */
export function schemaSql(databaseUrl: string): Promise<string> {
  return withEngine(databaseUrl, async (engine, datamodel) => {
    const { stdout } = await engine.diff({
      from: { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files: [{ path: SCHEMA_FILE, content: datamodel }] },
      script: true,
      exitCode: null,
      filters: NO_FILTERS,
    });
    return (stdout ?? '').trim();
  });
}

async function withEngine<T>(
  databaseUrl: string,
  work: (engine: SchemaEngine, datamodel: string) => Promise<T>,
  run: (pool: Pool, script: string) => Promise<void> = (pool, script) =>
    runScript(pool, script, LOCK_PATIENCE),
): Promise<T> {
  // Imported here, because the import makes Node print a warning, and most processes do not
  // migrate.
  const { SchemaEngine } = await import('@prisma/schema-engine-wasm');
  const datamodel = await readFile(SCHEMA_FILE, 'utf8');
  // The engine never closes its connections, so they are closed here.
  let scriptError: Error | undefined;
  const connections: { dispose(): Promise<void> }[] = [];
  const postgres = new PrismaPg({ connectionString: databaseUrl });
  const connect = postgres.connect.bind(postgres);
  postgres.connect = async () => {
    const connection = await connect();
    // The adapter's own version splits a script at every semicolon, also inside functions and
    // comments. PostgreSQL itself parses a script that is sent as one query, and runs all of it or
    // nothing.
    connection.executeScript = async (script) => {
      await run(connection.underlyingDriver(), script).catch((error) => {
        scriptError = error;
        throw error;
      });
    };
    connections.push(connection);
    return connection;
  };
  const adapter = bindMigrationAwareSqlAdapterFactory(postgres);
  const engine = await SchemaEngine.new({ datamodels: [[SCHEMA_FILE, datamodel]] }, () => undefined, adapter);
  const { setTimeout } = globalThis;
  globalThis.setTimeout = Object.assign(unrefLockTimeout, setTimeout);
  try {
    return await work(engine, datamodel);
  } catch (error) {
    throw scriptError ?? error;
  } finally {
    globalThis.setTimeout = setTimeout;
    engine.free();
    await Promise.all(connections.map((connection) => connection.dispose()));
  }
}

const ENGINE_LOCK_TIMEOUT_MS = 10_000;

/** Unrefs the lock timeout, which the engine never clears: it would keep the process alive. */
function unrefLockTimeout(callback: () => void, delayMs?: number, ...args: unknown[]): NodeJS.Timeout {
  const timer = nodeSetTimeout(callback, delayMs, ...args) as unknown as NodeJS.Timeout;
  return delayMs === ENGINE_LOCK_TIMEOUT_MS ? timer.unref() : timer;
}

async function readMigrations(): Promise<MigrationList> {
  const names = await migrationNames();
  return {
    baseDir: MIGRATIONS_FOLDER,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (path) => ({
        path,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(join(MIGRATIONS_FOLDER, path, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  };
}
