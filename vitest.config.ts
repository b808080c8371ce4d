import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './test/support/summary-reporter.ts';

export default defineConfig({
  // Our sources would load graphql as ESM and its libraries as CommonJS: two of it, whose errors do not know each other.
  resolve: { alias: { graphql: 'graphql/index.js' } },
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
