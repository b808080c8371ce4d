import type { Logger } from '../../log.ts';

const AGAIN_AFTER_MS = 60_000;

/** Tells the log that two clocks are far apart: when it begins, once a minute from then on, and when it is over. */
export class ClockAlarm {
  #toldAtMs: number | undefined;

  apart(log: Logger, told: { readonly environment: string; readonly aheadSeconds: number }): void {
    const nowMs = performance.now();
    if (this.#toldAtMs !== undefined && nowMs - this.#toldAtMs < AGAIN_AFTER_MS) return;
    this.#toldAtMs = nowMs;
    log.error(told, 'our clock and the cluster’s are far apart: nothing is decided until they agree');
  }

  agree(log: Logger, told: { readonly environment: string }): void {
    if (this.#toldAtMs === undefined) return;
    this.#toldAtMs = undefined;
    log.info(told, 'our clock and the cluster’s agree again');
  }
}
