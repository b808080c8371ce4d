import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const text = await readFile(new URL('docs/dangers.md', root), 'utf8');
const sections = [...text.matchAll(/^## (\d+)\n\n((?:- .*\n)+)/gm)].map(([, number, tests = '']) => ({
  number: Number(number),
  tests: [...tests.matchAll(/^- `(test\/\S+)`: “(.+)”$/gm)].map(([, file = '', name = '']) => ({
    file,
    name,
  })),
  lines: tests.trim().split('\n').length,
}));

it('names tests for each of the ten dangers', () => {
  const numbers = [...text.matchAll(/^\| (\d+) +\|/gm)].map(([, number]) => Number(number));
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(sections.map(({ number }) => number)).toEqual(numbers);
  for (const { tests, lines } of sections) expect(tests).toHaveLength(lines);
});

it.each(sections.flatMap(({ number, tests }) => tests.map(({ file, name }) => ({ number, file, name }))))(
  'danger $number: $file has “$name”',
  async ({ file, name }) => {
    const source = await readFile(new URL(file, root), 'utf8');
    // The first argument of a call, or the name in a table: a comment with the title is not enough.
    const titles = [...source.matchAll(/(?:\(|name:)\s*(['"`])((?:\\.|(?!\1).)*)\1,/g)].map(
      ([, , title = '']) => title,
    );
    expect(titles.map((title) => title.replaceAll("\\'", "'"))).toContain(name);
  },
);
