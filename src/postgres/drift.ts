import { Client } from 'pg';

/** The compared part of the catalog: the definition of each object by its name. */
export type Catalog = ReadonlyMap<string, string>;

/**
 * One row per object: its name and its definition. PostgreSQL prints constraints and indexes
 * itself, so both sides are spelled alike. CHECK constraints, triggers, partial or expression
 * indexes and storage parameters of indexes are left out: Prisma cannot express them, so only the
 * migrations have them (test/postgres/ tests them). The migrations table is left out too.
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
const BOOKKEEPING = '_prisma_migrations';

/** Tables, columns, enums, keys and indexes of a database. */
export async function readCatalog(databaseUrl: string): Promise<Catalog> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; definition: string }>(CATALOG);
    const ours = rows.filter(({ name }) => !name.includes(BOOKKEEPING));
    return new Map(ours.map(({ name, definition }) => [name, definition]));
  } finally {
    await client.end();
  }
}

/** The differences, one line each; empty if there are none. */
export function differences(migrations: Catalog, schema: Catalog): string[] {
  const names = [...new Set([...migrations.keys(), ...schema.keys()])].sort();
  return names.flatMap((name) => {
    const migrated = migrations.get(name);
    const wanted = schema.get(name);
    if (migrated === wanted) return [];
    if (migrated === undefined) return [`${name}: in schema.prisma, not in the migrations`];
    if (wanted === undefined) return [`${name}: in the migrations, not in schema.prisma`];
    return [`${name}: "${migrated}" in the migrations, "${wanted}" in schema.prisma`];
  });
}
