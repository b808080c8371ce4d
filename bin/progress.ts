const EVERY_MS = 1_000;

/**
 * Reports the progress of a long command on stderr, at most once per second; results go to stdout.
 */
export class Progress {
  #unit: string;
  #count = 0;
  #reportedAt = performance.now();

  /** @param unit the plural of what is counted */
  constructor(unit: string) {
    this.#unit = unit;
  }

  add(count: number): void {
    this.#count += count;
    if (performance.now() - this.#reportedAt < EVERY_MS) return;
    this.#reportedAt = performance.now();
    console.error(`${this.#count} ${this.#unit}`);
  }
}
