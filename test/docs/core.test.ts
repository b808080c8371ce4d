import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** All of it is read at one sitting. */
const MAX_LINES = 800;
/** What decides must not read: the database, the clock, the network. */
const IMPURE =
  /^(?:node:(?!crypto)|pg$|ws$|ioredis|bullmq)|generated\/prisma|\/db\/(?!derived-id)|\/rpc\/|\/jobs\/|src\/(?:app|clock)\.ts/;
const IMPURE_CALLS = /\bnew Date\(\)|\bDate\.now\(|\bperformance\.now\(|\bfetch\(|\bMath\.random\(|\bawait\b/;

/** The files that docs/walkthrough.md names in the numbered list of "The core at one sitting". */
function coreFiles(): readonly string[] {
  const page = readFileSync(join(ROOT, 'docs/walkthrough.md'), 'utf8');
  const [, section = ''] = /\n## The core at one sitting\n([\s\S]*?)\n## /.exec(page) ?? [];
  const steps = section.split('\n').filter((line) => /^(?:\d+\.| {3})/.test(line));
  return Array.from(steps.join('\n').matchAll(/\]\(\.\.\/([^)#]+\.ts)\)/g), ([, path = '']) => path);
}

const readSource = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The modules that a file loads. Types are not loaded. */
function importsOf(path: string): readonly string[] {
  const statements = readSource(path).matchAll(/^import (?!type )([^;]*?) from '([^']+)';/gms);
  return Array.from(statements).flatMap(([, names = '', from = '']) => {
    const isOnlyTypes = /^\{(?:\s*type \w+,?)+\s*\}$/.test(names);
    if (isOnlyTypes) return [];
    return [from.startsWith('.') ? normalize(join(dirname(path), from)) : from];
  });
}

/** Whatever a file loads, with the file that imports it. */
function loadedBy(path: string): readonly string[] {
  const seen = new Set<string>([path]);
  const found: string[] = [];
  for (const file of seen) {
    for (const imported of importsOf(file)) {
      found.push(`${file} imports ${imported}`);
      if (existsSync(join(ROOT, imported)) && !IMPURE.test(imported)) seen.add(imported);
    }
  }
  return found;
}

const files = coreFiles();

describe('the core', () => {
  it(`has at most ${MAX_LINES} lines`, () => {
    expect(files.length).toBeGreaterThanOrEqual(10);
    expect(new Set(files).size).toBe(files.length);
    const lines = files.reduce((sum, path) => sum + readSource(path).split('\n').length - 1, 0);
    expect(lines).toBeLessThanOrEqual(MAX_LINES);
  });

  it.each(files)('%s reads no database, no clock and no network', (path) => {
    expect(loadedBy(path).filter((line) => IMPURE.test(line.split(' imports ')[1] ?? ''))).toEqual([]);
    expect(readSource(path)).not.toMatch(IMPURE_CALLS);
  });
});
