import { DelayedError, ErrorCode, type Job } from 'bullmq';
import { settledWithin } from '../async/settled-within.ts';
import type { Logger } from '../observability/log.ts';
import { timeJob, timeJobLate } from '../observability/metrics/counters.ts';
import {
  isRetired,
  type JobName,
  type JobPayload,
  jobDefinition,
  jobNames,
  retiredQueues,
} from './catalog.ts';
import { connectTransport, type QueueStoreConfig } from './connect-transport.ts';
import { jobOptions } from './jobs.ts';
import { NotYet } from './not-yet.ts';
import { readPayload } from './read-payload.ts';
import type { JobQueue, JobWorker, QueueName, Transport } from './transport.ts';

/** Runs one job with a context `C`. */
export type JobHandler<N extends JobName, C> = (
  ctx: C,
  payload: JobPayload<N>,
  job?: { readonly id: string | undefined; readonly deduplicationId?: string | undefined },
) => Promise<void>;
export type JobHandlers<C> = { readonly [N in JobName]: JobHandler<N, C> };

/** The part of a handler's context that the workers use. */
interface WorkerContext {
  readonly config: QueueStoreConfig;
  readonly log: Logger;
}

export interface Workers {
  /** Stops fetching jobs, waits for running ones, and returns unfinished ones to the queue. */
  close(withinMs?: number): Promise<void>;
}

// A process usually has 10 seconds to stop. Returning jobs and closing connections takes a part of
// them.
export const CLOSE_TIMEOUT_MS = 7_000;
const TIMER_CHECK_MS = 5_000;
/** Every twelfth check is of all queues. The others are only of the most frequent timer. */
const CHECKS_PER_FULL_CHECK = 12;
const TIMER_LATE_MS = 10_000;
// A job stalls if its worker crashes. Every handler may run again, so a stalled job never fails.
const MAX_STALLED = 1_000_000;
/** Minutes of job counts that a queue keeps. `dues queues` shows the last one. */
const METRICS_MINUTES = 60;
// The jobs of a killed worker, and their ids, stay locked until the locks expire and another worker
// has checked twice: at most 40 seconds on Redis, 60 on PostgreSQL. Urgent work does not wait for
// that: due work is enqueued with new ids, and other urgent jobs have `takeOver`. A shorter lock
// would be lost by a process that is only busy, or whose clock is behind that of another one.
const LOCK_MS = 30_000;

/** Runs the jobs that have handlers, or only those in `only`, and maintains their timers. */
export async function startWorkers<C extends WorkerContext>(
  ctx: C,
  handlers: Partial<JobHandlers<C>>,
  { only = jobNames }: { only?: readonly JobName[] } = {},
): Promise<Workers> {
  const transport = await connectTransport(ctx.config, 'work', ctx.log);
  const names = only.filter((name) => handlers[name] !== undefined);
  const workers = names.map((name) => startWorker(ctx, transport, name, handlers));
  const timers = await startTimers(ctx.log, transport, names);
  await Promise.all(workers.map(({ worker }) => worker.waitUntilReady()));
  const closeInOrder = async (withinMs: number) => {
    await timers.close();
    await Promise.all(workers.map((worker) => closeWorker(ctx.log, worker, withinMs)));
    await transport.close();
  };
  // Jobs cannot be returned to an unreachable store, and waiting for it might never end.
  const closeWithoutStore = async (withinMs: number) => {
    const work = workers.flatMap(({ running }) => [...running.values()]);
    await settledWithin(work, withinMs);
    await Promise.all(workers.map(({ worker }) => worker.close(true)));
    transport.abandon();
  };
  const close = async (withinMs: number) => {
    const startedAt = performance.now();
    timers.stop();
    transport.stopping();
    if (!transport.isAway()) await Promise.race([closeInOrder(withinMs), transport.whenAway()]);
    const remainingMs = Math.max(0, withinMs - (performance.now() - startedAt));
    if (transport.isAway()) await closeWithoutStore(remainingMs);
  };
  let closed: Promise<void> | undefined;
  return {
    close(withinMs = CLOSE_TIMEOUT_MS) {
      closed ??= close(withinMs);
      return closed;
    },
  };
}

interface StartedWorker {
  readonly worker: JobWorker;
  /** The promise of the handler of each running job. */
  readonly running: Map<Job, Promise<void>>;
}

function startWorker<C extends WorkerContext>(
  ctx: C,
  transport: Transport,
  name: JobName,
  handlers: Partial<JobHandlers<C>>,
): StartedWorker {
  const { concurrency, takeOver } = jobDefinition(name);
  // The payload matches the handler, because both have the name of the job. The compiler cannot
  // infer that.
  const handler = handlers[name] as (ctx: C, payload: unknown, job: Job) => Promise<void>;
  const running = new Map<Job, Promise<void>>();
  const run = async (job: Job) => {
    // A job that was returned to the queue does not run at its scheduled time.
    if (job.attemptsStarted <= 1) timeJobLate(name, (Date.now() - scheduledTimeOf(job)) / 1000);
    const payload = readPayload(name, job);
    const startedAt = performance.now();
    const elapsedSeconds = () => (performance.now() - startedAt) / 1000;
    const work = handler(ctx, payload, job);
    running.set(job, work);
    try {
      await work;
      timeJob(name, 'done', elapsedSeconds());
    } catch (error) {
      if (!(error instanceof NotYet)) timeJob(name, 'failed', elapsedSeconds());
      throw error;
    } finally {
      running.delete(job);
    }
  };
  const process = async (job: Job) => {
    try {
      await run(job);
    } catch (error) {
      if (!(error instanceof NotYet)) throw error;
      await job.moveToDelayed(Date.now() + error.delayMs, job.token);
      throw new DelayedError();
    }
  };
  const worker = transport.worker(name, process, {
    concurrency,
    maxStalledCount: MAX_STALLED,
    metrics: { maxDataPoints: METRICS_MINUTES },
    lockDuration: takeOver?.lockMs ?? LOCK_MS,
    stalledInterval: takeOver?.checkMs ?? transport.stalledCheckMs,
  });
  worker.on('failed', (job, err) =>
    ctx.log.error({ err, job: name, jobId: job?.id, attempt: job?.attemptsMade }, 'job failed'),
  );
  worker.on('error', (err) => {
    if (isJobMissing(err)) ctx.log.warn({ job: name }, 'queue emptied while a job ran');
    else if (isLockLost(err)) ctx.log.warn({ job: name }, 'job lost to another worker: its lock expired');
    else if (!transport.isReported(err)) ctx.log.error({ err, job: name }, 'worker failed');
  });
  return { worker, running };
}

/** The scheduled time of a job. `job.delay` cannot be used: it is 0 once the job may run. */
export function scheduledTimeOf({ timestamp, opts }: Job): number {
  return timestamp + (opts.delay ?? 0);
}

/** Whether the job no longer exists because its queue was emptied. The scheduler adds it again. */
function isJobMissing(error: Error): boolean {
  return 'code' in error && error.code === ErrorCode.JobNotExist;
}

/**
 * Whether the lock expired because the process was stalled. The job then belongs to another worker.
 */
function isLockLost(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === ErrorCode.JobLockNotExist || code === ErrorCode.JobLockMismatch;
}

/**
 * Starts the timers and checks them. A timer is a job scheduler in the store, shared by all
 * workers. A timer can stop: the store may be emptied, and on PostgreSQL BullMQ 6.7 loses the next
 * run if a scheduler is upserted while it adds one. Therefore only one worker at a time checks the
 * timers, and it changes only those that have stopped. The most frequent timer is checked every 5
 * seconds. All queues are checked once a minute, and whenever that timer has stopped.
 */
async function startTimers(log: Logger, transport: Transport, names: readonly JobName[]) {
  const queues = [...names, ...retiredQueues].map((name) => {
    const queue = transport.queue(name);
    queue.on('error', (err) => {
      if (!transport.isReported(err)) log.error({ err, job: name }, 'queue out of reach');
    });
    return { name, queue, ...targetStateOf(name) };
  });
  const intervalOf = (queue: MaintainedQueue) => queue.everyMs ?? Number.POSITIVE_INFINITY;
  const [mostFrequent, ...others] = queues.sort((a, b) => intervalOf(a) - intervalOf(b));
  const checkTimers = (isFullCheck: boolean) =>
    transport.runExclusively(async () => {
      const hasRestarted = mostFrequent !== undefined && (await maintainQueue(mostFrequent)) === 'started';
      if (hasRestarted || isFullCheck) for (const queue of others) await maintainQueue(queue);
    });
  await checkTimers(true);
  let checks = 0;
  let checking = Promise.resolve();
  const interval = setInterval(() => {
    checks += 1;
    const isFullCheck = checks % CHECKS_PER_FULL_CHECK === 0;
    checking = checking
      .then(() => checkTimers(isFullCheck))
      .catch((err) => {
        if (!transport.isReported(err)) log.error({ err }, 'timers not checked');
      });
  }, TIMER_CHECK_MS);
  return {
    stop: () => clearInterval(interval),
    async close() {
      await checking;
      await Promise.all(queues.map(({ queue }) => queue.close()));
    },
  };
}

/** A queue and its target state in the store. */
interface MaintainedQueue {
  readonly name: QueueName;
  readonly queue: JobQueue;
  readonly isRetired: boolean;
  readonly everyMs: number | undefined;
  readonly concurrencyOfAll: number | undefined;
}

function targetStateOf(name: QueueName): Omit<MaintainedQueue, 'name' | 'queue'> {
  if (isRetired(name)) return { isRetired: true, everyMs: undefined, concurrencyOfAll: undefined };
  const { everyMs, concurrencyOfAll } = jobDefinition(name);
  return { isRetired: false, everyMs, concurrencyOfAll };
}

/** Brings a queue to its target state. Removes timers and queues of earlier releases. */
async function maintainQueue({
  name,
  queue,
  ...targetState
}: MaintainedQueue): Promise<'started' | undefined> {
  const { everyMs, concurrencyOfAll } = targetState;
  if (concurrencyOfAll !== undefined && (await queue.getGlobalConcurrency()) !== concurrencyOfAll) {
    await queue.setGlobalConcurrency(concurrencyOfAll);
  }
  const scheduler = await queue.getJobScheduler(name);
  if (everyMs !== undefined && !isRetired(name)) {
    const nextInMs = (scheduler?.next ?? 0) - Date.now();
    const isRunning = scheduler?.every === everyMs && nextInMs > -TIMER_LATE_MS;
    // A worker whose clock was ahead has postponed the next run. An upsert would not change its
    // time.
    const isTooFar = nextInMs > everyMs + TIMER_LATE_MS;
    if (isRunning && !isTooFar) return undefined;
    if (isTooFar) await queue.removeJobScheduler(name);
    await queue.upsertJobScheduler(name, { every: everyMs }, { name, data: {}, opts: jobOptions(name) });
    return 'started';
  }
  if (scheduler) await queue.removeJobScheduler(name);
  if (targetState.isRetired) await removeUnlessUsed(queue);
  return undefined;
}

/** Removes a retired queue, unless a worker of the previous release still runs one of its jobs. */
async function removeUnlessUsed(queue: JobQueue): Promise<void> {
  const counts = await queue.getJobCounts();
  if (Object.values(counts).every((count) => count === 0)) return;
  await queue.obliterate().catch(() => queue.resume());
}

async function closeWorker(log: Logger, { worker, running }: StartedWorker, withinMs: number): Promise<void> {
  const isFinished = await settledWithin([worker.pause()], withinMs);
  if (!isFinished) {
    // Otherwise other workers would get these jobs only after their locks have expired.
    for (const job of running.keys()) {
      log.warn({ job: job.name, jobId: job.id }, 'unfinished job returned to the queue');
      await job.moveToWait(job.token).catch((error: Error) => {
        if (!isLockLost(error) && !isJobMissing(error)) throw error;
      });
    }
  }
  await worker.close(!isFinished);
}
