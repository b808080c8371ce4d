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
   * nothing. A failed job is kept for days, so the id must contain a time. The id must not contain
   * `:` or consist of digits only.
   */
  readonly jobId?: string;
  /** Delay before the job runs. `delayUntil` computes it by `ctx.clock`. */
  readonly delayMs?: number;
  /** BullMQ's deduplication: while a job of this name and `id` waits or runs, none is added. */
  readonly deduplication?: DeduplicationOptions;
  /** Lower numbers run first. Jobs without a priority run before those with one. */
  readonly priority?: number;
}

/** The milliseconds until a time by `clock`; 0 if it has passed. */
export function delayUntil(clock: Clock, time: Date): number {
  return Math.max(0, time.getTime() - clock.now().getTime());
}

/**
 * Timeout of a call to the queue. A queue that has never been connected does not respond at all.
 * The caller need not wait longer, because the work is recorded in the database.
 */
const QUEUE_TIMEOUT_MS = 1_000;
/** Additional timeout per job when many are added: a busy store accepts them one by one. */
const QUEUE_TIMEOUT_PER_JOB_MS = 20;

/** Adds jobs for the workers. The scheduler adds lost jobs again, from the database. */
export interface Jobs {
  /**
   * Adds a job. Rejects if the queue cannot be reached or does not respond within a second. The job
   * may have been added even then.
   */
  add<N extends JobName>(name: N, payload: JobPayload<N>, options?: JobOptions): Promise<void>;
  /** Adds several jobs. Rejects like `add`, after 20 ms more per job. */
  addMany<N extends JobName>(
    name: N,
    jobs: readonly ({ readonly payload: JobPayload<N> } & JobOptions)[],
  ): Promise<void>;
  /** The number of waiting, active, delayed and failed jobs per name. Rejects like `add`. */
  depths(): Promise<{ readonly job: JobName; readonly state: string; readonly count: number }[]>;
  /** The queue of each job, for operators to inspect, pause and resume. Rejects like `add`. */
  queues(): Promise<readonly { readonly job: JobName; readonly queue: JobQueue }[]>;
  /** Shortens waits for the queue, because the process stops. */
  stopping(): void;
  close(): Promise<void>;
}

/** Creates the queues. The store is connected at the first use. */
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
      const call = queueOf(name).then((queue) => queue.add(name, data, jobOptions(name, options)));
      await awaitQueue(name, call);
    },
    async addMany(name, jobs) {
      if (jobs.length === 0) return;
      const bulk = jobs.map(({ payload, ...options }) => ({
        name,
        data: writePayload(name, payload),
        opts: jobOptions(name, options),
      }));
      const call = queueOf(name).then((queue) => queue.addBulk(bulk));
      await awaitQueue(name, call, QUEUE_TIMEOUT_MS + bulk.length * QUEUE_TIMEOUT_PER_JOB_MS);
    },
    async depths() {
      const counts = jobNames.map(async (job) => {
        const call = queueOf(job).then((queue) =>
          queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed'),
        );
        await awaitQueue(job, call);
        return Object.entries(await call).map(([state, count]) => ({ job, state, count }));
      });
      return (await Promise.all(counts)).flat();
    },
    async queues() {
      const opened = jobNames.map(async (job) => {
        const call = queueOf(job);
        await awaitQueue(job, call);
        return { job, queue: await call };
      });
      return Promise.all(opened);
    },
    stopping() {
      connecting?.then(
        (transport) => transport.stopping(),
        () => undefined,
      );
    },
    async close() {
      const transport = await connecting?.catch(() => undefined);
      transport?.stopping();
      // Closing a queue would wait until its store can be reached.
      if (transport?.isAway()) transport.abandon();
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      await transport?.close();
    },
  };
}

async function awaitQueue(
  name: JobName,
  call: Promise<unknown>,
  timeoutMs = QUEUE_TIMEOUT_MS,
): Promise<void> {
  // A rejection after the timeout is ignored.
  call.catch(() => undefined);
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(new Error(`the queue of ${name} did not respond within ${timeoutMs} ms`)),
    timeoutMs,
  );
  await Promise.race([call, timeout.promise]).finally(() => clearTimeout(timer));
}

/** Failed jobs that are kept for operators: maximum number per queue and age in seconds. */
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
