/**
 * When a repeated task runs next. A schedule may outlive the connection that runs its task, so that
 * frequent reconnects do not postpone the task.
 */
export class Schedule {
  readonly #everyMs: number;
  #dueAt: number;

  constructor(everyMs: number, { firstInMs }: { readonly firstInMs: number }) {
    this.#everyMs = everyMs;
    this.#dueAt = performance.now() + firstInMs;
  }

  /** The time until the task is due; 0 if it is due now. */
  get remainingMs(): number {
    return Math.max(0, this.#dueAt - performance.now());
  }

  /** Records that the task ran: it is due again an interval after `startedAt`. */
  ran(startedAt = performance.now()): void {
    this.#dueAt = startedAt + this.#everyMs;
  }

  /** Makes the task due in `ms`, or at the end of the interval if that is sooner. */
  postpone(ms: number): void {
    this.postponeFully(Math.min(ms, this.#everyMs));
  }

  /** Makes the task due in `ms`, also if that is after the end of the interval. */
  postponeFully(ms: number): void {
    this.#dueAt = performance.now() + ms;
  }
}
