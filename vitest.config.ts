import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { foldersLeftOut } from './test/support/suites.ts';
import { SummaryReporter } from './test/support/summary-reporter.ts';
import { findUnitTests } from './test/support/unit-tests.ts';

// Every worker, and every `dues` that a test starts, loads the same modules.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

const UNIT = findUnitTests(fileURLToPath(new URL('.', import.meta.url)));
/**
 * Folders whose files share processes, so that each process loads the modules only once. A process
 * runs files of one folder only, so its memory is never shared with files of another folder.
 */
const SHARING = ['chain', 'domain', 'localnet'];

type Test = TestProjectInlineConfiguration['test'];

function project(name: string, test: Test): TestProjectInlineConfiguration {
  return {
    // Without this our sources would load graphql as ESM and its libraries as CommonJS, and neither
    // would recognise the errors of the other.
    resolve: { alias: { graphql: 'graphql/index.js' } },
    test: {
      name,
      // Real networks start inside the tests, on machines that may be slow and shared.
      testTimeout: 90_000,
      hookTimeout: 90_000,
      // LiteSVM and the Yellowstone client are native modules: in processes of their own, a crash
      // ends only one file's tests.
      pool: 'forks',
      // Most files spend more than half of their time waiting for slots and timers.
      maxWorkers: availableParallelism() + 1,
      ...test,
    },
  };
}

/** A project whose sources Node loads directly, as in production, with a cache of compiled code. */
function sharing(name: string, test: Test): TestProjectInlineConfiguration {
  return project(name, {
    isolate: false,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    ...test,
  });
}

const inFolders = (folders: readonly string[]) => folders.map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig(({ mode }) => {
  const leftOut = foldersLeftOut(mode);
  const unit = UNIT.filter((file) => !leftOut.includes(file.split('/')[1] ?? ''));
  const sharingFolders = SHARING.filter((folder) => !leftOut.includes(folder));
  const isolatedExcludes = [...inFolders([...SHARING, ...leftOut]), ...UNIT];
  return {
    test: {
      globalSetup: ['test/support/postgres.ts'],
      reporters: ['default', new SummaryReporter(leftOut)],
      projects: [
        project('isolated', { include: ['test/**/*.test.ts'], exclude: isolatedExcludes }),
        ...sharingFolders.map((folder) => sharing(folder, { include: inFolders([folder]), exclude: UNIT })),
        sharing('unit', { include: unit }),
      ],
    },
  };
});
