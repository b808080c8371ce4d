// `npm run schema` writes schema.graphql from the code.
import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { strictUsage } from '../../bin/strict-usage.ts';

const { check } = strictUsage(
  new Command('npm run schema --')
    .description('Writes schema.graphql from the code.')
    .option('--check', 'fail if schema.graphql does not match the code, and write nothing', false),
)
  .parse()
  .opts<{ readonly check: boolean }>();
const { printSchemaWithDirectives } = await import('@graphql-tools/utils');
const { schema } = await import('../../src/api/graphql/schema.ts');
const file = new URL('../../schema.graphql', import.meta.url);
const printed = `${printSchemaWithDirectives(schema)}\n`;

if (!check) {
  await writeFile(file, printed);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== printed) {
  console.error('schema.graphql does not match the code; run: npm run schema');
  process.exitCode = 1;
}
