import { rootMessage } from './chain/endpoint-words.ts';
import type { Logger } from './log.ts';

/** Tells the log once that something went out of reach and once that it is back, however many notice and keep trying. */
export class Outage {
  readonly #log: Logger;
  readonly #what: string;
  #isOn = false;

  constructor(log: Logger, what: string) {
    this.#log = log;
    this.#what = what;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  begin(cause: unknown): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#log.error({ reason: rootMessage(cause) }, `${this.#what} out of reach; trying until it is back`);
  }

  end(): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    this.#log.info(`${this.#what} back`);
  }
}
