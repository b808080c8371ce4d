import { readdirSync } from 'node:fs';

/**
 * The folders of `test/` that `npm test` leaves out: the local network itself, PostgreSQL's limits,
 * poolers and older releases, the processes of an installation, the command line, the code blocks
 * of the guides, the client's package, every page, chaos, what fails or lies outside of dues
 * (nodes, streams, clocks, killed workers, strangers, other merchants), and what the repository
 * itself must hold. `npm run test:all` runs them too, and `.ci/run` runs everything.
 */
const ONLY_IN_ALL: readonly string[] = [
  'browser',
  'chaos',
  'cli',
  'client',
  'deploy',
  'docs',
  'faults',
  'lint',
  'localnet',
  'operations',
  'postgres',
];

/**
 * The folders that a run in this mode of Vitest leaves out: those above in mode `main`, all others
 * in mode `rest`, and none in any other mode.
 */
export function foldersLeftOut(mode: string): readonly string[] {
  if (mode === 'main') return ONLY_IN_ALL;
  if (mode !== 'rest') return [];
  return readdirSync(new URL('..', import.meta.url)).filter((folder) => !ONLY_IN_ALL.includes(folder));
}
