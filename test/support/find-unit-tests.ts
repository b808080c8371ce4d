import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Modules that start a database, a network or a process. A test that loads one is no unit test. */
const STARTERS = [
  'src/postgres/embedded.ts',
  'test/support/postgres.ts',
  'test/postgres/databases.ts',
  'localnet/virtual-machine.ts',
  'tools/world/dues-process.ts',
  'tools/chromium.ts',
  'tools/redis-server.ts',
];
/** Every import and re-export that remains after types are removed. */
const IMPORTS = /^(?:import|export)\s(?!type\s)(?:[^'";]*?\sfrom\s)?'([^']+)'/gm;

/** The test files that need neither PostgreSQL nor a local network, a browser or a process. */
export function findUnitTests(root: string): string[] {
  const isUnit = unitTestsOf(root);
  return globSync('test/**/*.test.ts', { cwd: root }).filter(isUnit).toSorted();
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
