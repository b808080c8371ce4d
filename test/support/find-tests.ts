import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Modules that start a database, a network or a process. A test that loads one is no unit test. */
const STARTERS = [
  'src/postgres/embedded.ts',
  'test/support/postgres.ts',
  'test/postgres/databases.ts',
  'localnet/virtual-machine.ts',
  'tools/dues-process.ts',
  'tools/chromium.ts',
];
/** Every import and re-export that remains after types are removed. */
const IMPORTS = /^(?:import|export)\s(?!type\s)(?:[^'";]*?\sfrom\s)?'([^']+)'/gm;

export interface Tests {
  /** Files that need neither PostgreSQL nor a local network, a browser or a process. */
  readonly unit: readonly string[];
  readonly world: readonly string[];
}

/**
 * The test files by what they need.
 *
 * @param leftOut the folders of `test/` that this run leaves out
 */
export function findTests(root: string, leftOut: readonly string[]): Tests {
  const files = globSync('test/**/*.test.ts', { cwd: root }).filter(
    (file) => !leftOut.includes(file.split('/')[1] ?? ''),
  );
  const isUnit = unitTestsOf(root);
  const { unit = [], world = [] } = Object.groupBy(files.toSorted(), (file) =>
    isUnit(file) ? 'unit' : 'world',
  );
  return { unit, world };
}

function unitTestsOf(root: string): (test: string) => boolean {
  const imported = new Map<string, readonly string[]>();
  const importsOf = (file: string): readonly string[] => {
    const known = imported.get(file);
    if (known) return known;
    const names = [...readFileSync(join(root, file), 'utf8').matchAll(IMPORTS)].map(([, name = '']) =>
      name.startsWith('.') ? join(dirname(file), name) : name,
    );
    imported.set(file, names);
    return names;
  };
  return (test) => {
    const visited = new Set([test]);
    for (const file of visited) {
      if (STARTERS.includes(file)) return false;
      if (!file.endsWith('.ts')) continue;
      const names = importsOf(file);
      if (file.startsWith('test/') && names.includes('node:child_process')) return false;
      for (const name of names) visited.add(name);
    }
    return true;
  };
}
