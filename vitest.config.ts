import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { findUnitTests } from './test/support/find-unit-tests.ts';
import { SOON } from './test/support/soon.ts';
import { foldersLeftOut } from './test/support/suites.ts';
import { SummaryReporter } from './test/support/summary-reporter.ts';

// Every worker, and every `dues` that a test starts, loads the same modules.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/**
 * The mode names the suite: `main`, `rest`, or `unit` for the tests that start no server. Any other
 * mode runs all tests.
 */
export default defineConfig(({ mode }) => {
  const isUnit = mode === 'unit';
  const leftOut = foldersLeftOut(mode);
  return {
    test: {
      include: isUnit ? findUnitTests(fileURLToPath(new URL('.', import.meta.url))) : ['test/**/*.test.ts'],
      exclude: leftOut.map((folder) => `test/${folder}/**`),
      globalSetup: isUnit ? [] : ['test/support/postgres.ts'],
      setupFiles: ['test/support/print-story.ts', 'test/support/leaves-nothing-open.ts'],
      reporters: ['default', new SummaryReporter(leftOut)],
      // They only end a test that hangs. No test passes or fails by the speed of the machine.
      testTimeout: 900_000,
      hookTimeout: 900_000,
      expect: { poll: { timeout: SOON.timeout } },
      // LiteSVM and the Yellowstone client are native modules: a crash ends only one process.
      pool: 'forks',
      // Most files spend more than half of their time waiting for slots and timers.
      maxWorkers: availableParallelism() + 1,
      // A process runs many files, and loads the modules once. Sources are loaded by Node directly,
      // as in production.
      isolate: false,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      experimental: { viteModuleRunner: false, nodeLoader: false },
    },
  };
});
