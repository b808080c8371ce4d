import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { findTests } from './test/support/find-tests.ts';
import { SOON } from './test/support/soon.ts';
import { foldersLeftOut } from './test/support/suites.ts';
import { SummaryReporter } from './test/support/summary-reporter.ts';

// Every worker, and every `dues` that a test starts, loads the same modules.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** A project whose sources Node loads directly, as in production, with a cache of compiled code. */
function project(name: string, include: readonly string[], isMain: boolean): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include: [...include],
      setupFiles: isMain ? ['test/support/leaves-nothing-open.ts'] : [],
      // They only end a test that hangs. No test passes or fails by the speed of the machine.
      testTimeout: 900_000,
      hookTimeout: 900_000,
      expect: { poll: { timeout: SOON.timeout } },
      // LiteSVM and the Yellowstone client are native modules: a crash ends only one process.
      pool: 'forks',
      // Most files spend more than half of their time waiting for slots and timers.
      maxWorkers: availableParallelism() + 1,
      // A process runs many files, and loads the modules once.
      isolate: false,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      experimental: { viteModuleRunner: false, nodeLoader: false },
    },
  };
}

export default defineConfig(({ mode }) => {
  const leftOut = foldersLeftOut(mode);
  const { unit, world } = findTests(fileURLToPath(new URL('.', import.meta.url)), leftOut);
  return {
    test: {
      globalSetup: ['test/support/postgres.ts'],
      reporters: ['default', new SummaryReporter(leftOut)],
      projects: [project('world', world, mode === 'main'), project('unit', unit, mode === 'main')],
    },
  };
});
