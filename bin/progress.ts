const EVERY_MS = 1_000;

/**
 * Reports the progress of a long command on stderr, at most once per second; results go to stdout.
 */
export class Progress {
  #what: string;
  #count = 0;
  #toldAt = performance.now();

  constructor(what: string) {
    this.#what = what;
  }

  add(count: number): void {
    this.#count += count;
    if (performance.now() - this.#toldAt < EVERY_MS) return;
    this.#toldAt = performance.now();
    console.error(`${this.#count} ${this.#what}`);
  }
}
