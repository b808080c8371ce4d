/** A process without a database for this time is restarted. A failover or restart is shorter. */
const MAX_SILENCE_MS = 2 * 60_000;
/** Shortest time between two questions, whatever the number of probes. */
const QUESTION_INTERVAL_MS = 1_000;

/**
 * Whether a process should keep running: until the database was silent for two minutes. Silence is
 * the time between the first and the last of several questions without an answer, or that of one
 * question: the time between two probes alone shows nothing. All connections recover without a
 * restart; this is the last resort. Each call asks the database without waiting for the answer, so
 * a probe is always answered at once.
 */
export class Liveness {
  readonly #ask: () => Promise<unknown>;
  readonly #now: () => number;
  /** When the oldest question after the last answer was asked. */
  #silentSince: number | undefined;
  /** When the newest question without an answer failed. */
  #failedAt = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;

  /** @param now a monotonic time in milliseconds */
  constructor(ask: () => Promise<unknown>, now = () => performance.now()) {
    this.#ask = ask;
    this.#now = now;
  }

  isLive(): boolean {
    const askedForMs = this.#now() - this.#askedAt;
    if (this.#isAsking && askedForMs >= MAX_SILENCE_MS) return false;
    const isSilent = this.#silentSince !== undefined && this.#failedAt - this.#silentSince >= MAX_SILENCE_MS;
    if (!this.#isAsking && askedForMs >= QUESTION_INTERVAL_MS) void this.#question();
    return !isSilent;
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
      this.#failedAt = this.#now();
    } finally {
      this.#isAsking = false;
    }
  }
}
