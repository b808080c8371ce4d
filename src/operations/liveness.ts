/** A process without a database for this time is restarted. A failover or restart is shorter. */
const MAX_SILENCE_MS = 2 * 60_000;
/** Shortest time between two questions, whatever the number of probes. */
const QUESTION_INTERVAL_MS = 1_000;

/**
 * Whether a process should keep running: while the database answers, or was silent for less than
 * two minutes. All connections recover without a restart; this is the last resort. Each call asks
 * the database without waiting for the answer, so a probe is always answered at once.
 */
export class Liveness {
  readonly #ask: () => Promise<unknown>;
  readonly #now: () => number;
  /** When the oldest question after the last answer was asked. */
  #silentSince: number | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;

  /** @param now a monotonic time in milliseconds */
  constructor(ask: () => Promise<unknown>, now = () => performance.now()) {
    this.#ask = ask;
    this.#now = now;
  }

  isLive(): boolean {
    const isTime = this.#now() - this.#askedAt >= QUESTION_INTERVAL_MS;
    if (isTime && !this.#isAsking) void this.#question();
    return this.#silentSince === undefined || this.#now() - this.#silentSince < MAX_SILENCE_MS;
  }

  async #question(): Promise<void> {
    this.#isAsking = true;
    this.#askedAt = this.#now();
    this.#silentSince ??= this.#askedAt;
    try {
      await this.#ask();
      this.#silentSince = undefined;
    } catch {
      // The readiness check reports the reason.
    } finally {
      this.#isAsking = false;
    }
  }
}
