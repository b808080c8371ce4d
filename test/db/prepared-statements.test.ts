import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);

async function sources(folder: string): Promise<string[]> {
  const names = await readdir(new URL(folder, root), { recursive: true });
  const files = names.filter((name) => name.endsWith('.ts') && !name.includes('generated'));
  return await Promise.all(files.map((name) => readFile(new URL(`${folder}/${name}`, root), 'utf8')));
}

/** The names of the statements that a source file passes to `runPrepared` and `runPreparedAsText`. */
function preparedNames(source: string): (string | undefined)[] {
  const argumentTexts = [
    ...source.matchAll(/(?<!function )\brunPrepared(?:AsText)?\b[^(),;]*\(db, ([^,]+),/g),
  ];
  const constants = argumentTexts.flatMap(
    ([, statement = '']) => statement.match(/\b[A-Z_]{2,}\b|(?<=\.)\w+$/g) ?? [],
  );
  return [...new Set(constants)].map(
    (constant) =>
      source.match(new RegExp(`(?:const ${constant}\\b[^']*|\\b${constant}: \\w+\\()['\`]([^'\`]+)`))?.[1],
  );
}

// A connection runs the statement prepared under a name, even if a later text differs.
it('gives each prepared statement its own name', async () => {
  const all = (await Promise.all(['src', 'indexer', 'workers'].map(sources))).flat();
  const users = all.filter((source) => /import .*\brunPrepared/.test(source));
  const names = users.map(preparedNames);
  expect(users.length).toBeGreaterThan(5);
  for (const [index, found] of names.entries()) expect(found, users[index]).not.toEqual([]);
  expect(names.flat()).not.toContain(undefined);
  expect(new Set(names.flat()).size).toBe(names.flat().length);
});

it('detects two statements with one name', () => {
  const twice = `
    const ONE: PreparedStatement = { name: 'same', text: '' };
    const TWO = statementOf('same', '');
    await runPrepared<Row>(db, isFirst ? ONE : TWO, []);`;
  expect(preparedNames(twice)).toEqual(['same', 'same']);
});
