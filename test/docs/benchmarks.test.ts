import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { BENCHES } from '../../bench/benches.ts';
import { withFigureTables } from '../../bench/figure-tables.ts';
import { isMet } from '../../bench/lib/figures.ts';

const page = await readFile(new URL('../../docs/benchmarks.md', import.meta.url), 'utf8');

it('docs/benchmarks.md has the tables that `npm run bench -- docs` writes', () => {
  const sections = Array.from(page.matchAll(/\n## `(\w+)`\n[\s\S]*?<!-- figures (\w+) -->/g));
  expect(sections.map(([, title, table]) => [title, table])).toEqual(
    Object.keys(BENCHES).map((name) => [name, name]),
  );
  expect(withFigureTables(page)).toBe(page);
});

it.each([
  [250, '<= 250', true],
  [250.1, '<= 250', false],
  [249.9, '< 250', true],
  [250, '< 250', false],
  [0.35, '>= 0.35', true],
  [0.349, '>= 0.35', false],
  [1, '<= 0', false],
  [Number.NaN, '<= 250', false],
] as const)('a figure of %d with the target %s: met is %s', (figure, target, isExpected) => {
  expect(isMet(figure, target)).toBe(isExpected);
});
