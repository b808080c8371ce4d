/** Interval of the statement that finds the queues with jobs. */
const CHECK_EVERY_MS = 15_000;
/** A delayed job counts if it is due within this time. It is long, because a check may be late. */
const AHEAD_MS = 2 * CHECK_EVERY_MS;
/**
 * Difference of clocks that is not corrected. A correction also shortens the locks of running jobs.
 * If the worker's clock is ahead of the database by more than the duration of the lock, the lock
 * then expires at once. If small differences were corrected, workers would take each other's jobs.
 */
const MAX_LOCK_AHEAD_MS = 30_000;

type RunQuery = (text: string, values: unknown[]) => Promise<{ rows: { queue: string }[] }>;

/**
 * The queues of this process whose jobs may be running, in any process. Only these can have stalled
 * jobs. The others are not searched, because each search for stalled jobs is a transaction.
 *
 * 1. When a worker is notified of a job or takes one, the queue is busy from then on.
 * 2. Every 15 seconds one statement finds the queues with a job that runs, waits or is due soon.
 *    All other queues are idle from then on.
 * 3. The same statement shortens locks and checks that end much too late by the database's clock.
 *    BullMQ on PostgreSQL dates them by the clock of each process. Without the correction, the jobs
 *    of a dead worker whose clock was minutes ahead would be blocked for minutes, and so would the
 *    endpoints that they deliver to.
 */
export class BusyQueues {
  readonly #query: RunQuery;
  /** The duration of a lock of each queue. */
  readonly #lockMs = new Map<string, number>();
  #busy = new Set<string>();
  /** Queues in which a job was noticed since the last statement began. */
  #noticed = new Set<string>();
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> | undefined;

  /** @param query runs a statement in BullMQ's schema */
  constructor(query: RunQuery) {
    this.#query = query;
  }

  /** A job was added to the queue, or taken from it. */
  notice(queue: string): void {
    this.#noticed.add(queue);
  }

  /**
   * Whether the queue may have running jobs. A queue is busy until the first statement about it.
   * Rejects if the database does not respond.
   */
  async isBusy(queue: string, lockMs: number): Promise<boolean> {
    if (!this.#lockMs.has(queue)) this.#noticed.add(queue);
    this.#lockMs.set(queue, lockMs);
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
    const parameters = [[...this.#lockMs.keys()], [...this.#lockMs.values()]];
    const { rows } = await this.#query(SHORTEN_AND_READ, [...parameters, MAX_LOCK_AHEAD_MS, AHEAD_MS]);
    this.#busy = new Set(rows.map(({ queue }) => queue));
    this.#checkedAt = performance.now();
  }
}

/**
 * Shortens locks and checks, and reads the busy queues, with one index lookup per queue and state.
 * Rows that another process locks are skipped, so that statements of several processes cannot
 * deadlock.
 */
const SHORTEN_AND_READ = `
  WITH asked AS MATERIALIZED (
    SELECT queue, lock_ms, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
    FROM unnest($1::text[], $2::bigint[]) AS asked(queue, lock_ms)
  ), locked AS (
    SELECT job.queue, job.id, now + lock_ms AS until FROM asked JOIN job ON job.queue = asked.queue
      AND state = 'active' AND locked_until_ms > now + lock_ms + $3
    FOR UPDATE OF job SKIP LOCKED
  ), shortened AS (
    UPDATE job SET locked_until_ms = until FROM locked WHERE job.queue = locked.queue AND job.id = locked.id
  ), checked AS (
    SELECT meta.queue, now FROM asked JOIN meta ON meta.queue = asked.queue AND field = 'stalled-check'
      AND CASE WHEN field = 'stalled-check' THEN value::bigint END > now + $3
    FOR UPDATE OF meta SKIP LOCKED
  ), corrected AS (
    UPDATE meta SET value = now::text FROM checked WHERE meta.queue = checked.queue AND field = 'stalled-check'
  )
  SELECT queue FROM asked
  WHERE EXISTS (SELECT FROM job WHERE job.queue = asked.queue AND state = 'active')
    OR EXISTS (SELECT FROM job WHERE job.queue = asked.queue AND state = 'waiting')
    OR EXISTS (SELECT FROM job WHERE job.queue = asked.queue AND state = 'delayed' AND process_at_ms <= now + $4)`;
