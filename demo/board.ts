import { styleText } from 'node:util';

/**
 * Prints the steps of the demo: the current one on a terminal, and each one with its duration when
 * it is done.
 */
export class Board {
  readonly #started = performance.now();
  #isOver = false;

  title(text: string): void {
    console.log(`\n${styleText('bold', text)}`);
  }

  /** A step that succeeds. */
  step<T>(label: string, work: () => Promise<T>, detailOf?: (result: T) => string): Promise<T> {
    return this.#play(styleText('green', '✔'), label, work, detailOf);
  }

  /** A step that is a setback for the merchant. */
  setback<T>(label: string, work: () => Promise<T>, detailOf?: (result: T) => string): Promise<T> {
    return this.#play(styleText('yellow', '!'), label, work, detailOf);
  }

  async #play<T>(
    mark: string,
    label: string,
    work: () => Promise<T>,
    detailOf?: (result: T) => string,
  ): Promise<T> {
    const begun = performance.now();
    const isLive = process.stdout.isTTY;
    if (isLive) process.stdout.write(`  ${styleText('yellow', '…')} ${label}`);
    try {
      const result = await work();
      this.#line(isLive, mark, label, begun, detailOf?.(result));
      return result;
    } catch (error) {
      this.#line(isLive, styleText('red', '✘'), label, begun);
      throw error;
    }
  }

  /** Prints nothing more after an interruption. */
  close(): void {
    if (process.stdout.isTTY) process.stdout.write('\r\u001b[2K');
    this.#isOver = true;
  }

  get secondsSoFar(): number {
    return (performance.now() - this.#started) / 1000;
  }

  #line(isLive: boolean, mark: string, label: string, begun: number, text?: string): void {
    if (this.#isOver) return;
    const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s`.padStart(7);
    const detail = text ? styleText('dim', ` — ${text}`) : '';
    if (isLive) process.stdout.write('\r\u001b[2K');
    console.log(`  ${mark} ${styleText('dim', seconds)}  ${label}${detail}`);
  }
}
