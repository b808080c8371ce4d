import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends a run with a plain line for each file that failed, `failed file: test/a.test.ts`, and one with
 * the counts: `12 passed, 0 failed`.
 */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      // A file that could not even be loaded has no tests to count, and must not look like success.
      if (module.errors().length > 0) counts.failed += 1;
      if (!module.ok()) console.log(`failed file: ${module.relativeModuleId}`);
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') counts[state] += 1;
      }
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
  }
}
