import type { DeduplicationOptions, JobsOptions } from 'bullmq';
import type { Clock } from '../clock.ts';
import type { Logger } from '../observability/log.ts';
import { type JobName, type JobPayload, jobDefinition, jobNames } from './catalog.ts';
import { connectTransport, type QueueStoreConfig } from './connect-transport.ts';
import { writePayload } from './read-payload.ts';
import type { JobQueue } from './transport.ts';

export interface JobOptions {
  /**
   * While a job with this name and id waits, runs or is kept as failed, adding it again does
   * nothing. A failed job is kept for days, so the id must contain a time. It must not contain `:`
   * or consist of digits only.
   */
  readonly jobId?: string;
  /** Delay before it runs. `delayUntil` computes it by the clock of billing. */
  readonly delayMs?: number;
  /** BullMQ's deduplication: while a job of this name and `id` waits or runs, none is added. */
  readonly deduplication?: DeduplicationOptions;
  /** Lower numbers run first; jobs without one run before those with one. */
  readonly priority?: number;
}

/** The milliseconds until a time by our clock; 0 if it has passed. */
export function delayUntil(clock: Clock, moment: Date): number {
  return Math.max(0, moment.getTime() - clock.now().getTime());
}

/**
 * Timeout of a call to the queue. A queue that was never connected does not respond at all. The
 * caller need not wait longer, because the work is recorded in the database.
 */
const HAND_OVER_MS = 1_000;
/** The same for each further job of many: a busy store accepts them in turn. */
const HAND_OVER_EACH_MS = 20;

/** Adds jobs for the workers. Jobs may be lost: the planner adds them again from the database. */
export interface Jobs {
  /**
   * Adds a job. Rejects if the queue cannot be reached or does not respond within a second. Even then
   * the job may have been added.
   */
  add<N extends JobName>(name: N, payload: JobPayload<N>, options?: JobOptions): Promise<void>;
  /** Adds several jobs. Rejects like `add`, with 20 ms more for each job. */
  addMany<N extends JobName>(
    name: N,
    jobs: readonly ({ readonly payload: JobPayload<N> } & JobOptions)[],
  ): Promise<void>;
  /** The number of waiting, active, delayed and failed jobs per name. Rejects like `add`. */
  depths(): Promise<{ readonly job: JobName; readonly state: string; readonly count: number }[]>;
  /** The queue of each job, for operators to inspect, pause and resume. Rejects like `add`. */
  queues(): Promise<readonly { readonly job: JobName; readonly queue: JobQueue }[]>;
  close(): Promise<void>;
}

/** Connects when the first job is added. */
export function createJobs(config: QueueStoreConfig, log: Logger): Jobs {
  let connecting: ReturnType<typeof connectTransport> | undefined;
  const queues = new Map<JobName, JobQueue>();
  const queueOf = async (name: JobName) => {
    connecting ??= connectTransport(config, 'add', log).catch((error) => {
      connecting = undefined;
      throw error;
    });
    const transport = await connecting;
    let queue = queues.get(name);
    if (!queue) {
      queue = transport.queue(name);
      queue.on('error', (err) => {
        if (!transport.isReported(err)) log.error({ err, job: name }, 'queue out of reach');
      });
      queues.set(name, queue);
    }
    return queue;
  };
  return {
    async add(name, payload, options = {}) {
      const data = writePayload(name, payload);
      const added = queueOf(name).then((queue) => queue.add(name, data, jobOptions(name, options)));
      await inTime(name, added);
    },
    async addMany(name, jobs) {
      if (jobs.length === 0) return;
      const bulk = jobs.map(({ payload, ...options }) => ({
        name,
        data: writePayload(name, payload),
        opts: jobOptions(name, options),
      }));
      const added = queueOf(name).then((queue) => queue.addBulk(bulk));
      await inTime(name, added, HAND_OVER_MS + bulk.length * HAND_OVER_EACH_MS);
    },
    async depths() {
      const counts = jobNames.map(async (job) => {
        const asked = queueOf(job).then((queue) =>
          queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed'),
        );
        await inTime(job, asked);
        return Object.entries(await asked).map(([state, count]) => ({ job, state, count }));
      });
      return (await Promise.all(counts)).flat();
    },
    async queues() {
      const opened = jobNames.map(async (job) => {
        const asked = queueOf(job);
        await inTime(job, asked);
        return { job, queue: await asked };
      });
      return Promise.all(opened);
    },
    async close() {
      const transport = await connecting?.catch(() => undefined);
      // Closing would wait for a queue that waits for its store.
      if (transport?.isAway()) transport.abandon();
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      await transport?.close();
    },
  };
}

async function inTime(name: JobName, added: Promise<unknown>, withinMs = HAND_OVER_MS): Promise<void> {
  // A rejection after the timeout is ignored.
  added.catch(() => undefined);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`the queue of ${name} did not respond within ${withinMs} ms`)),
    withinMs,
  );
  await Promise.race([added, late.promise]).finally(() => clearTimeout(timer));
}

/** Failed jobs are kept for operators: their number per queue, and their age in seconds. */
const FAILED_KEPT = { count: 200, age: 7 * 24 * 3_600 };

/** The options of a job, from the catalog and the caller. */
export function jobOptions(
  name: JobName,
  { jobId, delayMs, deduplication, priority }: JobOptions = {},
): JobsOptions {
  const { attempts, backoffMs } = jobDefinition(name);
  return {
    attempts,
    backoff: { type: 'exponential', delay: backoffMs },
    removeOnComplete: true,
    removeOnFail: FAILED_KEPT,
    ...(jobId !== undefined && { jobId }),
    ...(delayMs !== undefined && { delay: Math.ceil(delayMs) }),
    ...(deduplication && { deduplication }),
    ...(priority !== undefined && { priority }),
  };
}
