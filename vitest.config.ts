import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './test/support/summary-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    reporters: ['default', new SummaryReporter()],
    // Real networks start inside the tests, on machines that may be slow and shared.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // LiteSVM and the Yellowstone client are native modules: a process each keeps one file's crash from another.
    pool: 'forks',
    maxWorkers: 2,
  },
});
