import { readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { trackedFiles } from '../support/tracked-files.ts';

const ROOT = new URL('../../', import.meta.url);
const MAX_LENGTH = 80;
const NAMING = new Set(['it', 'test', 'describe']);

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The name that a chain of calls starts with: `it` of `it.skipIf(a).each(b)`. */
function rootOf(node: unknown): unknown {
  if (!isNode(node)) return undefined;
  if (node.type === 'Identifier') return node.name;
  return rootOf(node.callee ?? node.object ?? node.tag);
}

/** The text of a name: a string as it is read, a template or a sum as it is written. */
function textOf(argument: SyntaxNode, source: string): string | undefined {
  if (argument.type === 'Literal') {
    return typeof argument.value === 'string' ? argument.value : undefined;
  }
  if (argument.type === 'TemplateLiteral') return source.slice(argument.start + 1, argument.end - 1);
  return argument.type === 'BinaryExpression' ? source.slice(argument.start, argument.end) : undefined;
}

/** The first arguments of `it`, `test` and `describe`, with modifiers and tables. */
function namesIn(path: string, source: string): { text: string; line: number }[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const names: { text: string; line: number }[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    if (value.type === 'CallExpression' && NAMING.has(String(rootOf(value.callee)))) {
      const [argument] = value.arguments as SyntaxNode[];
      const text = argument && textOf(argument, source);
      if (argument && text !== undefined) {
        names.push({ text, line: source.slice(0, argument.start).split('\n').length });
      }
    }
    Object.values(value).forEach(visit);
  };
  visit(program);
  return names;
}

function longNamesIn(path: string, source: string): string[] {
  return namesIn(path, source)
    .filter(({ text }) => text.length > MAX_LENGTH)
    .map(({ text, line }) => `${path}:${line}: ${text.length} characters: ${text}`);
}

test('the names of tests have at most 80 characters', () => {
  const files = trackedFiles().filter((path) => /^test\/.*\.test\.tsx?$/.test(path));
  expect(files.length).toBeGreaterThan(300);
  const sources = files.map((path) => [path, readFileSync(new URL(path, ROOT), 'utf8')] as const);
  expect(sources.flatMap(([path, source]) => longNamesIn(path, source))).toEqual([]);
});

test.each([
  ['it(%s, () => {})'],
  ['describe(\n  %s,\n  () => {})'],
  ['it.skipIf(!redisServer)(%s, () => {})'],
  ['test.each([[f(1)], [2]])(%s, () => {})'],
  ["test.each<Mode>([')', f(g(h(1)))])(%s, () => {})"],
  ['test.each`a\n1`(%s, () => {})'],
])('a longer name in %j is found', (call) => {
  const source = (length: number) => `\n${call.replace('%s', `'${'x'.repeat(length)}'`)}`;
  expect(longNamesIn('a.test.ts', source(80))).toEqual([]);
  expect(longNamesIn('a.test.ts', source(81))).toEqual([
    expect.stringMatching(/^a\.test\.ts:\d: 81 characters/),
  ]);
});
