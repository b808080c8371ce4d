import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as nodeSetTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import { MIGRATIONS_FOLDER, migrationNames } from './migrations.ts';

const SCHEMA_FILE = fileURLToPath(new URL('../../prisma/schema.prisma', import.meta.url));
const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Applies every migration that the database has not seen, in order, and books it in `_prisma_migrations` exactly as
 * `prisma migrate deploy` does. Prisma's own command wants to download an engine; this is the same engine as
 * WebAssembly from npm. Answers with the names of those it applied.
 */
export function applyMigrations(databaseUrl: string): Promise<string[]> {
  return withEngine(databaseUrl, async (engine) => {
    const migrationsList = await readMigrations();
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTERS });
    return appliedMigrationNames;
  });
}

/** The SQL that makes an empty database what `schema.prisma` says; any database will do, it is not changed. */
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
): Promise<T> {
  // Here and not above: Node warns of every process that loads it, and most have nothing to migrate.
  const { SchemaEngine } = await import('@prisma/schema-engine-wasm');
  const datamodel = await readFile(SCHEMA_FILE, 'utf8');
  // The engine never disposes of the connections it asks for.
  const connections: { dispose(): Promise<void> }[] = [];
  const postgres = new PrismaPg({ connectionString: databaseUrl });
  const connect = postgres.connect.bind(postgres);
  postgres.connect = async () => {
    const connection = await connect();
    // The adapter's own cuts a script at every semicolon, also inside a function or a comment. As one query PostgreSQL
    // reads it itself, all or nothing.
    connection.executeScript = async (script) => {
      await connection.underlyingDriver().query(script);
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
  } finally {
    globalThis.setTimeout = setTimeout;
    engine.free();
    await Promise.all(connections.map((connection) => connection.dispose()));
  }
}

const ENGINE_LOCK_TIMEOUT_MS = 10_000;

/** The engine sets a timeout for getting its lock and never clears it: every process would stay that long. */
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
