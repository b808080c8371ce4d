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
export async function applyMigrations(databaseUrl: string): Promise<string[]> {
  const engine = await openEngine(databaseUrl);
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: await readMigrations(),
      filters: NO_FILTERS,
    });
    return appliedMigrationNames;
  } finally {
    engine.free();
  }
}

/** The SQL that makes an empty database what `schema.prisma` says. */
export async function schemaSql(anyDatabaseUrl: string): Promise<string> {
  const engine = await openEngine(anyDatabaseUrl);
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'empty' },
      to: {
        tag: 'schemaDatamodel',
        files: [{ path: SCHEMA_FILE, content: await readFile(SCHEMA_FILE, 'utf8') }],
      },
      script: true,
      exitCode: null,
      filters: NO_FILTERS,
    });
    return (stdout ?? '').trim();
  } finally {
    engine.free();
  }
}

async function openEngine(databaseUrl: string): Promise<SchemaEngine> {
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: databaseUrl }));
  const datamodels: [string, string][] = [[SCHEMA_FILE, await readFile(SCHEMA_FILE, 'utf8')]];
  return SchemaEngine.new({ datamodels }, () => undefined, adapter);
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
