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

/** Does one job with a context `C`. */
export type JobHandler<N extends JobName, C> = (
  ctx: C,
  payload: JobPayload<N>,
  job?: { readonly id: string | undefined },
) => Promise<void>;
export type JobHandlers<C> = { readonly [N in JobName]: JobHandler<N, C> };

/** The part of a handler's context that the workers use. */
interface WorkerContext {
  readonly config: QueueStoreConfig;
  readonly log: Logger;
}

export interface Workers {
  /** Fetches no more jobs, waits for running ones, and returns unfinished ones to the queue. */
  close(withinMs?: number): Promise<void>;
}

// A process usually has 10 seconds to stop. Returning jobs and closing connections take some of
// them.
export const CLOSE_WITHIN_MS = 7_000;
const TIMER_CHECK_MS = 5_000;
/** Checks of the most frequent timer between two checks of all. */
const CHECKS_OF_ONE = 12;
const TIMER_LATE_MS = 10_000;
// A job stalls if its worker crashes. Every handler may run again, so a stalled job is never failed.
const MAX_STALLED = 1_000_000;
/** Minutes of job counts that a queue keeps: `dues queues` shows the last one. */
const METRICS_MINUTES = 60;
// A killed worker keeps its jobs, and their ids, until its locks expire and another worker has
// checked twice: at most 40 seconds on Redis, 60 on PostgreSQL. Nothing urgent waits for that: what
// is due is planned with new ids, and other urgent jobs have `takeOver`. A lock of a few seconds would
// be lost by a process that is only busy, or whose clock is behind another's.
const LOCK_MS = 30_000;

/** Runs the jobs that have handlers, or `only` some of them, and maintains their timers. */
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
    await Promise.all(workers.map((each) => closeWorker(ctx.log, each, withinMs)));
    await transport.close();
  };
  // Nothing can be returned to an unreachable store, and waiting for it would not end.
  const closeAlone = async (withinMs: number) => {
    const work = workers.flatMap(({ running }) => [...running.values()]);
    await settledWithin(work, withinMs);
    await Promise.all(workers.map(({ worker }) => worker.close(true)));
    transport.abandon();
  };
  const close = async (withinMs: number) => {
    timers.stop();
    if (!transport.isAway()) await Promise.race([closeInOrder(withinMs), transport.goneAway()]);
    if (transport.isAway()) await closeAlone(withinMs);
  };
  let closed: Promise<void> | undefined;
  return {
    close(withinMs = CLOSE_WITHIN_MS) {
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
  // The payload matches the handler, because both have the job's name. The compiler cannot infer
  // it.
  const handler = handlers[name] as (ctx: C, payload: unknown, job: Job) => Promise<void>;
  const running = new Map<Job, Promise<void>>();
  const run = async (job: Job) => {
    // A job that was returned to the queue has another time than the one it was added for.
    if (job.attemptsStarted <= 1) timeJobLate(name, (Date.now() - plannedTimeOf(job)) / 1000);
    const payload = readPayload(name, job);
    const startedAt = performance.now();
    const took = () => (performance.now() - startedAt) / 1000;
    const work = handler(ctx, payload, job);
    running.set(job, work);
    try {
      await work;
      timeJob(name, 'done', took());
    } catch (error) {
      if (!(error instanceof NotYet)) timeJob(name, 'failed', took());
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
    if (isForgottenByStore(err)) ctx.log.warn({ job: name }, 'queue emptied while a job ran');
    else if (isTakenOver(err)) ctx.log.warn({ job: name }, 'job lost to another worker: its lock expired');
    else if (!transport.isReported(err)) ctx.log.error({ err, job: name }, 'worker failed');
  });
  return { worker, running };
}

/** The planned time of a job. `job.delay` cannot be used: it is 0 once the job may run. */
export function plannedTimeOf({ timestamp, opts }: Job): number {
  return timestamp + (opts.delay ?? 0);
}

/** Whether a job cannot be ended because the queue was emptied. The planner adds all work again. */
function isForgottenByStore(error: Error): boolean {
  return 'code' in error && error.code === ErrorCode.JobNotExist;
}

/**
 * Whether the lock expired because the process stood still: the job belongs to another worker now.
 */
function isTakenOver(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === ErrorCode.JobLockNotExist || code === ErrorCode.JobLockMismatch;
}

/**
 * Starts the timers and checks them. A timer is a job scheduler in the store, shared by all
 * workers. It can stop: the store may be emptied, and on PostgreSQL BullMQ 6.7 loses the next tick
 * if a scheduler is upserted while it ticks. Therefore one worker at a time checks them, and
 * changes only those that have stopped. The most frequent timer is checked every time; all queues
 * are checked once a minute, and if that timer had stopped.
 */
async function startTimers(log: Logger, transport: Transport, names: readonly JobName[]) {
  const queues = [...names, ...retiredQueues].map((name) => {
    const queue = transport.queue(name);
    queue.on('error', (err) => {
      if (!transport.isReported(err)) log.error({ err, job: name }, 'queue out of reach');
    });
    return { name, queue, ...wanted(name) };
  });
  const often = (each: KeptQueue) => each.everyMs ?? Number.POSITIVE_INFINITY;
  const [first, ...others] = queues.sort((a, b) => often(a) - often(b));
  const keepGoing = (isForAll: boolean) =>
    transport.alone(async () => {
      const hadStopped = first !== undefined && (await keep(first)) === 'started';
      if (hadStopped || isForAll) for (const each of others) await keep(each);
    });
  await keepGoing(true);
  let checks = 0;
  let checking = Promise.resolve();
  const interval = setInterval(() => {
    checks += 1;
    const isForAll = checks % CHECKS_OF_ONE === 0;
    checking = checking
      .then(() => keepGoing(isForAll))
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

/** The wanted state of a queue in the store. */
interface KeptQueue {
  readonly name: QueueName;
  readonly queue: JobQueue;
  readonly isRetired: boolean;
  readonly everyMs: number | undefined;
  readonly concurrencyOfAll: number | undefined;
}

function wanted(name: QueueName): Omit<KeptQueue, 'name' | 'queue'> {
  if (isRetired(name)) return { isRetired: true, everyMs: undefined, concurrencyOfAll: undefined };
  const { everyMs, concurrencyOfAll } = jobDefinition(name);
  return { isRetired: false, everyMs, concurrencyOfAll };
}

/** Brings a queue to its wanted state. Timers and queues of earlier releases are removed. */
async function keep({ name, queue, ...wanted }: KeptQueue): Promise<'started' | undefined> {
  const { everyMs, concurrencyOfAll } = wanted;
  if (concurrencyOfAll !== undefined && (await queue.getGlobalConcurrency()) !== concurrencyOfAll) {
    await queue.setGlobalConcurrency(concurrencyOfAll);
  }
  const known = await queue.getJobScheduler(name);
  if (everyMs !== undefined && !isRetired(name)) {
    const nextInMs = (known?.next ?? 0) - Date.now();
    const isGoing = known?.every === everyMs && nextInMs > -TIMER_LATE_MS;
    // A worker whose clock was ahead has postponed the next tick, and an upsert would keep its
    // time.
    const isTooFar = nextInMs > everyMs + TIMER_LATE_MS;
    if (isGoing && !isTooFar) return undefined;
    if (isTooFar) await queue.removeJobScheduler(name);
    await queue.upsertJobScheduler(name, { every: everyMs }, { name, data: {}, opts: jobOptions(name) });
    return 'started';
  }
  if (known) await queue.removeJobScheduler(name);
  if (wanted.isRetired) await removeUnlessUsed(queue);
  return undefined;
}

/** Removes a retired queue, unless a worker of the release before still runs a job of it. */
async function removeUnlessUsed(queue: JobQueue): Promise<void> {
  const counts = await queue.getJobCounts();
  if (Object.values(counts).every((count) => count === 0)) return;
  await queue.obliterate().catch(() => queue.resume());
}

async function closeWorker(log: Logger, { worker, running }: StartedWorker, withinMs: number): Promise<void> {
  const inTime = await settledWithin([worker.pause()], withinMs);
  if (!inTime) {
    // Without this, other workers would get them only when their locks expire.
    for (const job of running.keys()) {
      log.warn({ job: job.name, jobId: job.id }, 'unfinished job returned to the queue');
      await job.moveToWait(job.token).catch((error: Error) => {
        if (!isTakenOver(error) && !isForgottenByStore(error)) throw error;
      });
    }
  }
  await worker.close(!inTime);
}
