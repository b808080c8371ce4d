// Checks that the migrations produce the schema of schema.prisma. It starts its own PostgreSQL,
// builds the database both ways and compares the results. Prisma's `migrate diff` cannot do this:
// for an existing database it needs a column of the type "char", which adapter-pg 7.10.0 refuses,
// and its other engine would have to be downloaded.

import { styleText } from 'node:util';
import { Command } from 'commander';
import { strictUsage } from '../../bin/strict-usage.ts';
import { differences, readCatalog } from '../../src/postgres/drift.ts';
import { schemaSql } from '../../src/postgres/schema-engine.ts';
import { runSql } from '../run-sql.ts';
import { startDatabase } from '../world/database.ts';

strictUsage(
  new Command('npm run drift --').description('Compares the result of the migrations with schema.prisma.'),
).parse();
await using closing = new AsyncDisposableStack();
const database = await startDatabase(closing);
const schemaUrl = new URL(database.url);
schemaUrl.pathname = '/schema';
await runSql(database.url, 'CREATE DATABASE schema');
await runSql(schemaUrl.href, await schemaSql(database.url));
const lines = differences(await readCatalog(database.url), await readCatalog(schemaUrl.href));
for (const line of lines) console.error(styleText('red', line));
console.log(lines.length === 0 ? 'The migrations match schema.prisma.' : `${lines.length} differences`);
process.exitCode = lines.length === 0 ? 0 : 1;
