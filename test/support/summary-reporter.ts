import type { Reporter, TestModule } from 'vitest/node';
import { processorSeconds } from './processor-seconds.ts';

const SLOWEST_FILES = 10;

/**
 * Ends a run with the ten slowest files, a plain line for each file that failed,
 * `failed file: test/a.test.ts`, one with the counts, `12 passed, 0 failed in 34 s`, one with the
 * folders that this suite leaves out, and one with the processor time of all processes of the run,
 * `processor seconds: 34`.
 */
export class SummaryReporter implements Reporter {
  readonly #leftOut: readonly string[];
  #startedAt = 0;

  constructor(leftOut: readonly string[]) {
    this.#leftOut = leftOut;
  }

  onInit(): void {
    this.#startedAt = performance.now();
    // The processes of the tests, and PostgreSQL, count only after they have ended.
    process.once('exit', () => {
      const seconds = processorSeconds();
      if (seconds !== null) console.log(`processor seconds: ${Math.round(seconds)}`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length > 1) printSlowest(modules);
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
    const seconds = Math.round((performance.now() - this.#startedAt) / 1_000);
    console.log(`${counts.passed} passed, ${counts.failed} failed${skipped} in ${seconds} s`);
    if (this.#leftOut.length > 0) {
      console.log(`left out, because another suite has them: test/{${this.#leftOut.join(',')}}`);
      console.log('all tests: npm run test:all');
    }
  }
}

/** Prints the slowest files with their time from loading to the last hook. */
function printSlowest(modules: readonly TestModule[]): void {
  const timed = modules.map((module) => {
    const { prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
    return {
      file: module.relativeModuleId,
      ms: prepareDuration + collectDuration + setupDuration + duration,
    };
  });
  console.log('the slowest files:');
  for (const { file, ms } of timed.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST_FILES)) {
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);
  }
}
