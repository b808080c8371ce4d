import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { trackedFiles } from '../support/tracked-files.ts';

const ROOT = new URL('../../', import.meta.url);
const STYLE = 'docs/style.md';
/** Folders and pages that use the words of docs/style.md. */
const SCANNED = /^(?:src|indexer|workers|web|bin|client|tools|docs)\/|^(?:README|CONTRIBUTING|SECURITY)\.md$/;
const TEXT = /\.(?:ts|tsx|md|css)$/;
const FORBIDDEN_FILES = /^(?:common|helpers?|managers?|utils?)\./;

/** The words of a text in lower case: `enqueueDue_atOnce` has four. Idioms and CSS are left out. */
function wordsOf(text: string): string {
  return text
    .replace(/(?<=[a-z0-9])(?=[A-Z])|_/g, ' ')
    .toLowerCase()
    .replace(/\b(?:in|takes?) (?:the )?place\b|\bplace-items\b/g, '');
}

/** The table of docs/style.md: each word that is not used, and what is used instead. */
function readTable(): Map<string, string> {
  const style = readFileSync(new URL(STYLE, ROOT), 'utf8');
  const [, table = ''] = /<!-- words -->([\s\S]*?)<!-- \/words -->/.exec(style) ?? [];
  const rows = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
  return new Map(
    rows
      .slice(3, -1)
      .flatMap(([, not = '', but = '']) => not.split(', ').map((word) => [word, but] as const)),
  );
}

const instead = readTable();
const pattern = new RegExp(`\\b(?:${[...instead.keys()].join('|')})\\b`, 'g');

/** The lines of a text that have a word of the table. */
function faultsIn(path: string, text: string): string[] {
  if (!wordsOf(text).match(pattern)) return [];
  return text.split('\n').flatMap((line, index) => {
    const found = wordsOf(line).match(pattern) ?? [];
    return found.map((word) => `${path}:${index + 1}: not "${word}", but ${instead.get(word)}`);
  });
}

test('no name, comment or page has a word that docs/style.md replaces', () => {
  const paths = trackedFiles().filter(
    (path) => SCANNED.test(path) && TEXT.test(path) && path !== STYLE && !path.includes('/generated/'),
  );
  expect(paths.length).toBeGreaterThan(1_000);
  expect(paths.flatMap((path) => faultsIn(path, readFileSync(new URL(path, ROOT), 'utf8')))).toEqual([]);
});

test('the words are found in names and texts, and idioms are left alone', () => {
  expect(instead.get('planner')).toMatch(/scheduler/);
  const text =
    'const outboxPlace = 1;\n// The planner runs.\nNO_PLACE_MS\n// It takes place, in place. replaced';
  expect(faultsIn('a.ts', text).map((fault) => fault.split(': ')[0])).toEqual(['a.ts:1', 'a.ts:2', 'a.ts:3']);
});

test('no file has a name that says nothing about its contents', () => {
  expect(trackedFiles().filter((path) => FORBIDDEN_FILES.test(basename(path)))).toEqual([]);
});
