import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { trackedFiles } from '../support/tracked-files.ts';

const ROOT = new URL('../../', import.meta.url);
const MAX_LENGTH = 80;
/** `it`, `test` or `describe`, with modifiers and tables such as `.each([…])`, up to the name. */
const NAMED =
  /\b(?:it|test|describe)(?:\.(?:each|for)\b(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|`[^`]*`)|\.\w+(?:\((?:[^()]|\([^()]*\))*\))?)*\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;

function longNamesIn(path: string, text: string): string[] {
  return [...text.matchAll(NAMED)].flatMap(({ 0: call, 2: name = '', index }) => {
    if (name.length <= MAX_LENGTH) return [];
    const line = text.slice(0, index + call.length).split('\n').length;
    return [`${path}:${line}: ${name.length} characters: ${name}`];
  });
}

test('the names of tests have at most 80 characters', () => {
  const files = trackedFiles().filter((path) => path.startsWith('test/') && path.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(300);
  const texts = files.map((path) => [path, readFileSync(new URL(path, ROOT), 'utf8')] as const);
  expect(texts.flatMap(([path, text]) => longNamesIn(path, text))).toEqual([]);
});

test.each([
  ['it(%s, () => {})'],
  ['describe(\n  %s,\n  () => {})'],
  ['it.skipIf(!redisServer)(%s, () => {})'],
  ['test.each([[f(1)], [2]])(%s, () => {})'],
])('a longer name in %j is found', (call) => {
  const text = (length: number) => `\n${call.replace('%s', `'${'x'.repeat(length)}'`)}`;
  expect(longNamesIn('a.test.ts', text(80))).toEqual([]);
  expect(longNamesIn('a.test.ts', text(81))).toEqual([
    expect.stringMatching(/^a\.test\.ts:\d: 81 characters/),
  ]);
});
