import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { trackedFiles } from '../support/tracked-files.ts';

const ROOT = new URL('../../', import.meta.url);
const files = trackedFiles();
/** Every path of a file or folder, and each part of it that begins after a slash. */
const ends = new Set(files.flatMap((path) => [path, ...foldersOf(path)].flatMap(endsOf)));

function endsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(index).join('/'));
}

/** The folders of a file, each with a slash at its end. */
function foldersOf(path: string): string[] {
  return Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index + 1));
}

/** TypeScript files and folders in backticks. Hidden folders and `dist/` are not committed. */
const NAMED = /`((?:[\w.-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|tsx)|(?!\.|dist\/)(?:[\w.-]+\/)+)`/g;
const COMMENT = /^\s*(?:\/\/|\*|\/\*\*|--).*$|\s\/\/ .*$/gm;

/** The files that a text names and that do not exist. */
function missingIn(text: string): string[] {
  return Array.from(text.matchAll(NAMED), ([, path = '']) => path).filter((path) => !ends.has(path));
}

/** Blocks of code on pages are programs of the reader. */
const withoutCode = (page: string) => page.replace(/^```[\s\S]*?^```/gm, '');

test('every TypeScript file and every folder that a page names exists', () => {
  const pages = files.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');
  const missing = pages.flatMap((path) =>
    missingIn(withoutCode(readFileSync(new URL(path, ROOT), 'utf8'))).map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('every TypeScript file and every folder that a comment names exists', () => {
  const sources = files.filter((path) => /\.tsx?$/.test(path) && !path.includes('/generated/'));
  const missing = sources.flatMap((path) => {
    const comments = readFileSync(new URL(path, ROOT), 'utf8').match(COMMENT) ?? [];
    return comments.flatMap((comment) => missingIn(comment).map((name) => `${path}: ${name}`));
  });
  expect(missing).toEqual([]);
});

test('finds files and folders that do not exist', () => {
  const text =
    'See `docs/paths.test.ts`, `gone.ts`, `test/gone/paths.test.ts`, `domain/billing/` and `gone/`.';
  expect(missingIn(text)).toEqual(['gone.ts', 'test/gone/paths.test.ts', 'gone/']);
});
