import { styleText } from 'node:util';

/** The steps of the story as they happen: what is under way on a terminal, and each one with its time when it is done. */
export class Board {
  readonly #started = performance.now();
  #isOver = false;

  title(text: string): void {
    console.log(`\n${styleText('bold', text)}`);
  }

  /** Something that was to be done and is. */
  step<T>(label: string, work: () => Promise<T>, told?: (result: T) => string): Promise<T> {
    return this.#play(styleText('green', '✔'), label, work, told);
  }

  /** Something that happens to the merchant, and no success. */
  setback<T>(label: string, work: () => Promise<T>, told?: (result: T) => string): Promise<T> {
    return this.#play(styleText('yellow', '!'), label, work, told);
  }

  async #play<T>(
    mark: string,
    label: string,
    work: () => Promise<T>,
    told?: (result: T) => string,
  ): Promise<T> {
    const begun = performance.now();
    const isLive = process.stdout.isTTY;
    if (isLive) process.stdout.write(`  ${styleText('yellow', '…')} ${label}`);
    try {
      const result = await work();
      this.#line(isLive, mark, label, begun, told?.(result));
      return result;
    } catch (error) {
      this.#line(isLive, styleText('red', '✘'), label, begun);
      throw error;
    }
  }

  /** Nothing more is told: the story was interrupted. */
  close(): void {
    if (process.stdout.isTTY) process.stdout.write('\r\u001b[2K');
    this.#isOver = true;
  }

  get secondsSoFar(): number {
    return (performance.now() - this.#started) / 1000;
  }

  #line(isLive: boolean, mark: string, label: string, begun: number, told?: string): void {
    if (this.#isOver) return;
    const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s`.padStart(7);
    const detail = told ? styleText('dim', ` — ${told}`) : '';
    if (isLive) process.stdout.write('\r\u001b[2K');
    console.log(`  ${mark} ${styleText('dim', seconds)}  ${label}${detail}`);
  }
}
