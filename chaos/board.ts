import { styleText } from 'node:util';

/** Prints each step of the run on one line, with the seconds since the start. */
export class Board {
  readonly #started = performance.now();
  readonly #print: (line: string) => void;

  constructor(print: (line: string) => void = console.log) {
    this.#print = print;
  }

  get seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }

  say(text: string): void {
    this.#print(`  ${styleText('dim', `${this.seconds.toFixed(1)} s`.padStart(8))}  ${text}`);
  }

  /** Prints a highlighted line. */
  warn(text: string): void {
    this.say(styleText('yellow', text));
  }

  table(title: string, rows: readonly (readonly [string, string | number | bigint])[]): void {
    const width = Math.max(...rows.map(([name]) => name.length));
    this.#print(`\n  ${styleText('bold', title)}`);
    for (const [name, value] of rows) this.#print(`  ${name.padEnd(width)}  ${String(value).padStart(14)}`);
  }
}
