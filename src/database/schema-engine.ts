import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { type MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';

const PRISMA_FOLDER = fileURLToPath(new URL('../../prisma', import.meta.url));
const SCHEMA_FILE = join(PRISMA_FOLDER, 'schema.prisma');
const MIGRATIONS_FOLDER = join(PRISMA_FOLDER, 'migrations');
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
  const datamodel = await readFile(SCHEMA_FILE, 'utf8');
  // The engine never disposes of the connections it asks for.
  const connections: { dispose(): Promise<void> }[] = [];
  const postgres = new PrismaPg({ connectionString: databaseUrl });
  const connect = postgres.connect.bind(postgres);
  postgres.connect = async () => {
    const connection = await connect();
    connections.push(connection);
    return connection;
  };
  const adapter = bindMigrationAwareSqlAdapterFactory(postgres);
  const engine = await SchemaEngine.new({ datamodels: [[SCHEMA_FILE, datamodel]] }, () => undefined, adapter);
  try {
    return await work(engine, datamodel);
  } finally {
    engine.free();
    await Promise.all(connections.map((connection) => connection.dispose()));
  }
}

async function readMigrations(): Promise<MigrationList> {
  const entries = await readdir(MIGRATIONS_FOLDER, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
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
