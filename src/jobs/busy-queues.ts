/** How often one statement finds out which queues have jobs. */
const CHECK_EVERY_MS = 15_000;
/** A delayed job counts if it runs within this time. The next look may be late. */
const AHEAD_MS = 2 * CHECK_EVERY_MS;
/**
 * Difference of clocks that needs no correction. The lock of a job that runs is shortened too, and
 * ends at once if its worker is further ahead of the database than the lock is long: with a small
 * difference all workers would take each other's jobs.
 */
const MAX_LOCK_AHEAD_MS = 30_000;

type Ask = (text: string, values: unknown[]) => Promise<{ rows: { queue: string }[] }>;

/**
 * The queues of one process whose jobs may be running, in any process. Only these can have stalled
 * jobs, and each search for stalled jobs is a transaction.
 *
 * 1. A worker notices when a job is added, and when it takes one: the queue is busy from then on.
 * 2. Every 15 seconds one statement finds the queues with a job that runs, waits or soon will. The
 *    others are idle from then on.
 * 3. The same statement shortens what ends much too late by the database's clock. BullMQ on PostgreSQL
 *    dates locks and checks by the clock of each process. Without it, the jobs of a dead worker
 *    whose clock was minutes ahead would wait for minutes, as would the endpoints they visited.
 */
export class BusyQueues {
  readonly #ask: Ask;
  /** The duration of a lock of each queue. */
  readonly #lockMs = new Map<string, number>();
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
    const asked = [[...this.#lockMs.keys()], [...this.#lockMs.values()]];
    const { rows } = await this.#ask(SHORTEN_AND_READ, [...asked, MAX_LOCK_AHEAD_MS, AHEAD_MS]);
    this.#busy = new Set(rows.map(({ queue }) => queue));
    this.#checkedAt = performance.now();
  }
}

/**
 * One index lookup per queue and state. Rows that another process locks are skipped, so that
 * statements of several processes cannot deadlock.
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
