import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { trackedFiles } from '../support/tracked-files.ts';

const ROOT = new URL('../../', import.meta.url);
const files = trackedFiles();
/** Every path of a file, and each part of it that begins after a slash. */
const ends = new Set(files.flatMap((path) => endsOf(path)));

function endsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(index).join('/'));
}

/** Names of files in backticks that are files of this repository. */
const NAMED = /`((?:[\w.-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|tsx))`/g;
const COMMENT = /^\s*(?:\/\/|\*|\/\*\*|--).*$|\s\/\/ .*$/gm;

/** The files that a text names and that do not exist. */
function missingIn(text: string): string[] {
  return Array.from(text.matchAll(NAMED), ([, path = '']) => path).filter((path) => !ends.has(path));
}

/** Blocks of code on pages are programs of the reader. */
const withoutCode = (page: string) => page.replace(/^```[\s\S]*?^```/gm, '');

test('every TypeScript file that a page names exists', () => {
  const pages = files.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');
  const missing = pages.flatMap((path) =>
    missingIn(withoutCode(readFileSync(new URL(path, ROOT), 'utf8'))).map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('every TypeScript file that a comment names exists', () => {
  const sources = files.filter((path) => /\.tsx?$/.test(path) && !path.includes('/generated/'));
  const missing = sources.flatMap((path) => {
    const comments = readFileSync(new URL(path, ROOT), 'utf8').match(COMMENT) ?? [];
    return comments.flatMap((comment) => missingIn(comment).map((name) => `${path}: ${name}`));
  });
  expect(missing).toEqual([]);
});

test('finds a file that does not exist', () => {
  expect(missingIn('See `docs/paths.test.ts`, `gone.ts` and `test/gone/paths.test.ts`.')).toEqual([
    'gone.ts',
    'test/gone/paths.test.ts',
  ]);
});
