// Writes .env.example and the tables of docs/operations.md from the schemas of the variables.
// test/docs/variables.test.ts runs it with --check.
import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import type { z } from 'zod';
import { strictUsage } from '../../bin/strict-usage.ts';
import { VARIABLE_GROUPS } from '../../src/config/variables/groups.ts';
import { notes, type Shape } from '../../src/config/variables/notes.ts';
import { markdownTable } from '../markdown-table.ts';

const WIDTH = 100;
/** A text that no rule allows, so that the schema tells its rule. */
const REFUSED = '\0';
const HEADER = `All variables that dues reads. \`npm run env\` writes this file. Copy it to .env and fill it in. Every wrong or missing variable is reported at the start. Variables that are already set take precedence. Where a secret may be in a file, NAME_FILE is its path.`;
/** The live environment has the variables of the test environment, which are described there. */
const isLive = (name: string) => name.startsWith('LIVE_');

/** @throws Error if nothing is written about the variable */
function notesOf(name: string, schema: z.ZodType) {
  const found = notes.get(schema);
  if (!found) throw new Error(`${name} has no notes`);
  return found;
}

/** What a variable must be, in the words of its error; nothing if any text is allowed. */
function ruleOf(schema: z.ZodType): string | undefined {
  const { error } = schema.safeParse(REFUSED);
  return error?.issues[0]?.message;
}

function defaultOf(schema: z.ZodType): string | undefined {
  const { def } = schema as z.ZodDefault;
  const inSchema = def.type === 'default' ? String(def.defaultValue) : '';
  return inSchema || notes.get(schema)?.default;
}

const isRequired = (schema: z.ZodType) => !schema.safeParse(undefined).success;

function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length + 3 > WIDTH && line !== '') lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => `# ${line}`).join('\n');
}

function entry(name: string, schema: z.ZodType): string {
  if (isLive(name)) return `${name}=\n`;
  const { text, example = '', mayBeFile } = notesOf(name, schema);
  const rule = ruleOf(schema);
  const byDefault = defaultOf(schema);
  const sentences = [
    text,
    rule && `${rule.replace(/^m/, 'M')}.`,
    byDefault && `Default: ${byDefault}.`,
    isRequired(schema) && 'Required.',
    mayBeFile && `Or set ${name}_FILE.`,
  ];
  return `${wrapped(sentences.filter(Boolean).join(' '))}\n${name}=${example}\n\n`;
}

function envFile(): string {
  const groups = VARIABLE_GROUPS.map(({ title, shape }) => {
    const entries = Object.entries(shape).map(([name, schema]) => entry(name, schema));
    const note = Object.keys(shape).some(isLive) ? ': the variables of the test environment' : '';
    return `${wrapped(`--- ${title}${note} ---`)}\n${entries.join('').trimEnd()}\n`;
  });
  return `${wrapped(HEADER)}\n\n${groups.join('\n')}`;
}

/** A text for a cell of a table. Angle brackets are escaped outside of code. */
function cell(text: string): string {
  const parts = text.replaceAll('|', '\\|').split('`');
  return parts.map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '&lt;') : part)).join('`');
}

function table(shape: Shape): string {
  const rows = Object.entries(shape).map(([name, schema]) => {
    const rule = ruleOf(schema)?.replace(/^must (be|have|contain) /, '') ?? 'a text';
    const byDefault = isRequired(schema) ? '**required**' : (defaultOf(schema) ?? '');
    const { text, mayBeFile } = notesOf(name, schema);
    return [`\`${name}\``, `${cell(rule)}${mayBeFile ? ' (or a file)' : ''}`, cell(byDefault), cell(text)];
  });
  return markdownTable(['variable', 'value', 'default', 'what it does'], rows);
}

function sections(): string {
  return VARIABLE_GROUPS.filter(({ shape }) => !Object.keys(shape).some(isLive))
    .map(({ title, shape }) => `### ${title}\n\n${table(shape)}\n`)
    .join('\n');
}

const { check } = strictUsage(
  new Command('npm run env --')
    .description('Writes .env.example and the tables of variables in docs/operations.md.')
    .option('--check', 'fail if a file does not match the code, and write nothing', false),
)
  .parse()
  .opts<{ readonly check: boolean }>();

const root = new URL('../../', import.meta.url);
const operations = await readFile(new URL('docs/operations.md', root), 'utf8');
const files = {
  '.env.example': envFile(),
  'docs/operations.md': operations.replace(
    /(<!-- variables -->\n)[\s\S]*?(<!-- \/variables -->)/,
    (_, before: string, after: string) => `${before}\n${sections()}\n${after}`,
  ),
};
for (const [path, text] of Object.entries(files)) {
  const file = new URL(path, root);
  if ((await readFile(file, 'utf8')) === text) continue;
  if (!check) await writeFile(file, text);
  else {
    console.error(`${path} is old. Run: npm run env`);
    process.exitCode = 1;
  }
}
