// Do the migrations make what schema.prisma says? Starts a PostgreSQL of its own, builds the database both ways and
// compares. Prisma's own `migrate diff` cannot: to look at a database that exists it needs a column of the type "char",
// which adapter-pg 7.10.0 refuses, and its other engine would have to be downloaded.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { Client } from 'pg';
import { differences, readCatalog } from './drift.ts';
import { startEmbeddedDatabase } from './embedded.ts';
import { applyMigrations, schemaSql } from './schema-engine.ts';

await using closing = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'dues-drift-'));
await chmod(folder, 0o755);
closing.defer(() => rm(folder, { recursive: true, force: true }));
const database = await startEmbeddedDatabase({ folder: join(folder, 'postgres'), persistent: false });
closing.defer(() => database.stop());

await applyMigrations(database.url);
const built = new URL(database.url);
built.pathname = '/schema';
await execute(database.url, 'CREATE DATABASE schema');
await execute(built.href, await schemaSql(database.url));
const found = differences(await readCatalog(database.url), await readCatalog(built.href));
for (const line of found) console.error(styleText('red', line));
console.log(
  found.length === 0 ? 'The migrations make what schema.prisma says.' : `${found.length} differences`,
);
process.exitCode = found.length === 0 ? 0 : 1;

async function execute(databaseUrl: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
