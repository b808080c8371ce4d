import { readFile, writeFile } from 'node:fs/promises';
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { schema } from './schema.ts';

// node src/graphql/print-schema.ts           writes schema.graphql
// node src/graphql/print-schema.ts --check   fails where schema.graphql is not what the code says

const file = new URL('../../schema.graphql', import.meta.url);
const printed = `${printSchemaWithDirectives(schema)}\n`;

if (!process.argv.includes('--check')) {
  await writeFile(file, printed);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== printed) {
  console.error('schema.graphql is not what the code says: node src/graphql/print-schema.ts');
  process.exitCode = 1;
}
