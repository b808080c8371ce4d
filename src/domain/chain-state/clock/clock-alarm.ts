import type { Logger } from '../../../observability/log.ts';

const ALARM_INTERVAL_MS = 60_000;

/** Logs that two clocks are far apart: at once, then once a minute, and when they agree again. */
export class ClockAlarm {
  #loggedAtMs: number | undefined;

  raise(log: Logger, fields: { readonly environment: string; readonly aheadSeconds: number }): void {
    const nowMs = performance.now();
    if (this.#loggedAtMs !== undefined && nowMs - this.#loggedAtMs < ALARM_INTERVAL_MS) return;
    this.#loggedAtMs = nowMs;
    log.error(fields, 'our clock and the cluster’s are far apart: nothing is decided until they agree');
  }

  clear(log: Logger, fields: { readonly environment: string }): void {
    if (this.#loggedAtMs === undefined) return;
    this.#loggedAtMs = undefined;
    log.info(fields, 'our clock and the cluster’s agree again');
  }
}
