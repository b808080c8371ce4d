/** How often one statement finds out which queues have jobs. */
const CHECK_EVERY_MS = 15_000;
/** A delayed job counts if it runs within this time. The next look may be late. */
const AHEAD_MS = 2 * CHECK_EVERY_MS;

type Ask = (text: string, values: unknown[]) => Promise<{ rows: { queue: string }[] }>;

/**
 * The queues of one process whose jobs may be running, in any process. Only these can have stalled
 * jobs, and each search for stalled jobs is a transaction.
 *
 * 1. A worker notices when a job is added, and when it takes one: the queue is busy from then on.
 * 2. Every 15 seconds one statement finds the queues with a job that runs, waits or soon will. The
 *    others are idle from then on.
 */
export class BusyQueues {
  readonly #ask: Ask;
  readonly #queues = new Set<string>();
  #busy = new Set<string>();
  /** Queues noticed since the last statement began. */
  #noticed = new Set<string>();
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> | undefined;

  /** @param ask runs a statement in BullMQ's schema */
  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** A job was added to the queue, or taken from it. */
  notice(queue: string): void {
    this.#noticed.add(queue);
  }

  /** Rejects if the database does not respond. A queue is busy until the first statement about it. */
  async isBusy(queue: string): Promise<boolean> {
    if (!this.#queues.has(queue)) this.#noticed.add(queue);
    this.#queues.add(queue);
    if (performance.now() - this.#checkedAt >= CHECK_EVERY_MS) {
      this.#checking ??= this.#check().finally(() => {
        this.#checking = undefined;
      });
      await this.#checking;
    }
    return this.#busy.has(queue) || this.#noticed.has(queue);
  }

  async #check(): Promise<void> {
    this.#noticed = new Set();
    const { rows } = await this.#ask(MAY_RUN, [[...this.#queues], Date.now() + AHEAD_MS]);
    this.#busy = new Set(rows.map(({ queue }) => queue));
    this.#checkedAt = performance.now();
  }
}

/** One index lookup per queue and state. */
const MAY_RUN = `
  SELECT queue FROM unnest($1::text[]) AS asked(queue)
  WHERE EXISTS (SELECT FROM job WHERE job.queue = asked.queue AND state = 'active')
    OR EXISTS (SELECT FROM job WHERE job.queue = asked.queue AND state = 'waiting')
    OR EXISTS (SELECT FROM job WHERE job.queue = asked.queue AND state = 'delayed' AND process_at_ms <= $2)`;
