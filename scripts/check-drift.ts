// Checks that the migrations produce the schema of schema.prisma. It starts its own PostgreSQL,
// builds the database both ways and compares the results. Prisma's `migrate diff` cannot do this:
// for an existing database it needs a column of the type "char", which adapter-pg 7.10.0 refuses,
// and its other engine would have to be downloaded.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { Command } from 'commander';
import { Client } from 'pg';
import { strictUsage } from '../bin/strict-usage.ts';
import { differences, readCatalog } from '../src/postgres/drift.ts';
import { startEmbeddedDatabase } from '../src/postgres/embedded.ts';
import { applyMigrations, schemaSql } from '../src/postgres/schema-engine.ts';

strictUsage(
  new Command('npm run drift --').description('Compares the result of the migrations with schema.prisma.'),
).parse();
await using closing = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'dues-drift-'));
await chmod(folder, 0o755);
closing.defer(() => rm(folder, { recursive: true, force: true }));
const database = await startEmbeddedDatabase({ folder: join(folder, 'postgres'), persistent: false });
closing.defer(() => database.stop());

await applyMigrations(database.url);
const schemaUrl = new URL(database.url);
schemaUrl.pathname = '/schema';
await execute(database.url, 'CREATE DATABASE schema');
await execute(schemaUrl.href, await schemaSql(database.url));
const lines = differences(await readCatalog(database.url), await readCatalog(schemaUrl.href));
for (const line of lines) console.error(styleText('red', line));
console.log(lines.length === 0 ? 'The migrations match schema.prisma.' : `${lines.length} differences`);
process.exitCode = lines.length === 0 ? 0 : 1;

async function execute(databaseUrl: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
