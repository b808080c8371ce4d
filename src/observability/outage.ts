import type { Logger } from './log.ts';
import { rootMessage } from './public-urls.ts';

/**
 * Logs once that a service became unreachable and once that it is reachable again, however many
 * callers notice.
 */
export class Outage {
  readonly #log: Logger;
  readonly #service: string;
  #isOn = false;

  constructor(log: Logger, service: string) {
    this.#log = log;
    this.#service = service;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  begin(cause: unknown): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#log.error({ reason: rootMessage(cause) }, `${this.#service} unreachable: retrying`);
  }

  end(): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    this.#log.info(`${this.#service} reachable again`);
  }
}
