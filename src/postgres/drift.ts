import { Client } from 'pg';

/** The compared part of the catalog: the definition of each object by its name. */
export type Catalog = ReadonlyMap<string, string>;

/**
 * One row per object: its name and its definition. PostgreSQL prints constraints and indexes
 * itself, so both sides have the same notation. CHECK constraints, triggers, partial or expression
 * indexes and storage parameters of indexes are left out: Prisma cannot express them, so they exist
 * only in the migrations (test/postgres/ tests them). The migrations table is left out too.
 */
const CATALOG = `
  SELECT 'table ' || relname AS name, '' AS definition
  FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
UNION ALL
  SELECT 'column ' || c.relname || '.' || a.attname,
    format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
      || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
UNION ALL
  SELECT 'enum ' || t.typname, string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder)
  FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid
  WHERE t.typnamespace = 'public'::regnamespace GROUP BY t.typname
UNION ALL
  SELECT 'constraint ' || conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f', 'x')
UNION ALL
  SELECT 'index ' || indexrelid::regclass, regexp_replace(pg_get_indexdef(indexrelid), ' WITH \\([^)]*\\)$', '')
  FROM pg_index JOIN pg_class c ON c.oid = indrelid
  WHERE c.relnamespace = 'public'::regnamespace AND indpred IS NULL AND indexprs IS NULL`;
const MIGRATIONS_TABLE = '_prisma_migrations';

/** Tables, columns, enums, keys and indexes of a database. */
export async function readCatalog(databaseUrl: string): Promise<Catalog> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; definition: string }>(CATALOG);
    const rowsOfSchema = rows.filter(({ name }) => !name.includes(MIGRATIONS_TABLE));
    return new Map(rowsOfSchema.map(({ name, definition }) => [name, definition]));
  } finally {
    await client.end();
  }
}

/** The differences, one line each; empty if there are none. */
export function differences(migrations: Catalog, schema: Catalog): string[] {
  const names = [...new Set([...migrations.keys(), ...schema.keys()])].sort();
  return names.flatMap((name) => {
    const inMigrations = migrations.get(name);
    const inSchema = schema.get(name);
    if (inMigrations === inSchema) return [];
    if (inMigrations === undefined) return [`${name}: in schema.prisma, not in the migrations`];
    if (inSchema === undefined) return [`${name}: in the migrations, not in schema.prisma`];
    return [`${name}: "${inMigrations}" in the migrations, "${inSchema}" in schema.prisma`];
  });
}
