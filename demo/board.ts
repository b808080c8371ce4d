import { styleText } from 'node:util';

/**
 * Prints the steps of the demo: on a terminal the current step, and each step with its duration
 * when it is done.
 */
export class Board {
  readonly #started = performance.now();
  #isOver = false;

  title(text: string): void {
    console.log(`\n${styleText('bold', text)}`);
  }

  /** Runs a step that goes well for the merchant. */
  step<T>(label: string, work: () => Promise<T>, detailOf?: (result: T) => string): Promise<T> {
    return this.#run(styleText('green', '✔'), label, work, detailOf);
  }

  /** Runs a step that is a setback for the merchant. */
  setback<T>(label: string, work: () => Promise<T>, detailOf?: (result: T) => string): Promise<T> {
    return this.#run(styleText('yellow', '!'), label, work, detailOf);
  }

  async #run<T>(
    mark: string,
    label: string,
    work: () => Promise<T>,
    detailOf?: (result: T) => string,
  ): Promise<T> {
    const startedAt = performance.now();
    const isLive = process.stdout.isTTY;
    if (isLive) process.stdout.write(`  ${styleText('yellow', '…')} ${label}`);
    try {
      const result = await work();
      this.#printLine(isLive, mark, label, startedAt, detailOf?.(result));
      return result;
    } catch (error) {
      this.#printLine(isLive, styleText('red', '✘'), label, startedAt);
      throw error;
    }
  }

  /** Clears the current step and prints no more steps. Used after an interruption. */
  close(): void {
    if (process.stdout.isTTY) process.stdout.write('\r\u001b[2K');
    this.#isOver = true;
  }

  get secondsSoFar(): number {
    return (performance.now() - this.#started) / 1000;
  }

  #printLine(isLive: boolean, mark: string, label: string, startedAt: number, text?: string): void {
    if (this.#isOver) return;
    const seconds = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`.padStart(7);
    const detail = text ? styleText('dim', ` — ${text}`) : '';
    if (isLive) process.stdout.write('\r\u001b[2K');
    console.log(`  ${mark} ${styleText('dim', seconds)}  ${label}${detail}`);
  }
}
