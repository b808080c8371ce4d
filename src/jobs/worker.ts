import { ErrorCode, type Job, UnrecoverableError } from 'bullmq';
import { z } from 'zod';
import type { AppContext } from '../app.ts';
import type { Logger } from '../log.ts';
import { timeJob } from '../metrics/counters.ts';
import { type JobName, type JobPayload, jobDefinition, jobNames } from './catalog.ts';
import { jobOptions } from './jobs.ts';
import { connectTransport, type JobWorker, type Transport } from './transport.ts';

export type JobHandler<N extends JobName> = (ctx: AppContext, payload: JobPayload<N>) => Promise<void>;
export type JobHandlers = { readonly [N in JobName]: JobHandler<N> };

export interface Workers {
  /** Takes no more jobs; lets the running ones finish, and hands back to the queue what is not done in time. */
  close(withinMs?: number): Promise<void>;
}

// Whoever stops a process gives it 10 seconds; handing back and saying goodbye take some of them.
const CLOSE_WITHIN_MS = 7_000;
const TIMER_CHECK_MS = 5_000;
const TIMER_LATE_MS = 10_000;
// A worker that dies mid-job leaves it stalled; every handler may be run again, so nothing is given up for that.
const MAX_STALLED = 1_000_000;

/** Runs the jobs that there are handlers for, or `only` some of them, and keeps their timers going. */
export async function startWorkers(
  ctx: AppContext,
  handlers: Partial<JobHandlers>,
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
  // Nothing can be handed back; what waits for the store would wait until it is back.
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
  /** What each handler makes of its job. */
  readonly running: Map<Job, Promise<void>>;
}

function startWorker(
  ctx: AppContext,
  transport: Transport,
  name: JobName,
  handlers: Partial<JobHandlers>,
): StartedWorker {
  const { payload, concurrency } = jobDefinition(name);
  // Row and handler have the same name, which the compiler cannot follow through a lookup.
  const handler = handlers[name] as (ctx: AppContext, payload: unknown) => Promise<void>;
  const running = new Map<Job, Promise<void>>();
  const process = async (job: Job) => {
    const parsed = payload.safeParse(job.data);
    if (!parsed.success) throw new UnrecoverableError(`payload refused: ${z.prettifyError(parsed.error)}`);
    const startedAt = performance.now();
    const work = handler(ctx, parsed.data);
    running.set(job, work);
    try {
      await work;
      timeJob(name, 'done', (performance.now() - startedAt) / 1000);
    } catch (error) {
      timeJob(name, 'failed', (performance.now() - startedAt) / 1000);
      throw error;
    } finally {
      running.delete(job);
    }
  };
  const worker = transport.worker(name, process, { concurrency, maxStalledCount: MAX_STALLED });
  worker.on('failed', (job, err) =>
    ctx.log.error({ err, job: name, jobId: job?.id, attempt: job?.attemptsMade }, 'job failed'),
  );
  worker.on('error', (err) => {
    if (isForgottenByStore(err)) ctx.log.warn({ job: name }, 'the job store was emptied while a job ran');
    else if (!transport.toldAlready(err)) ctx.log.error({ err, job: name }, 'worker in trouble');
  });
  return { worker, running };
}

/** That a job cannot be ended because the store no longer knows it. Timers and the database bring all work back. */
function isForgottenByStore(error: Error): boolean {
  return 'code' in error && error.code === ErrorCode.JobNotExist;
}

/**
 * A timer is a job scheduler in the store, shared by all workers. It can stop while we run: the store may be emptied, and
 * on PostgreSQL BullMQ 6.7 breaks the chain of ticks where a scheduler is upserted while it ticks. So one worker at a time
 * looks after them, and touches only those that are not going.
 */
async function startTimers(log: Logger, transport: Transport, names: readonly JobName[]) {
  const timers = names.flatMap((name) => {
    const { everyMs } = jobDefinition(name);
    if (everyMs === undefined) return [];
    const queue = transport.queue(name);
    queue.on('error', (err) => {
      if (!transport.toldAlready(err)) log.error({ err, job: name }, 'queue out of reach');
    });
    return [{ name, queue, everyMs }];
  });
  const keepGoing = () =>
    transport.alone(async () => {
      for (const { name, queue, everyMs } of timers) {
        const known = await queue.getJobScheduler(name);
        const going = known?.every === everyMs && (known.next ?? 0) > Date.now() - TIMER_LATE_MS;
        if (going) continue;
        await queue.upsertJobScheduler(name, { every: everyMs }, { name, data: {}, opts: jobOptions(name) });
      }
    });
  await keepGoing();
  let checking = Promise.resolve();
  const interval = setInterval(() => {
    checking = checking.then(keepGoing).catch((err) => {
      if (!transport.toldAlready(err)) log.error({ err }, 'timers could not be checked');
    });
  }, TIMER_CHECK_MS);
  return {
    stop: () => clearInterval(interval),
    async close() {
      await checking;
      await Promise.all(timers.map(({ queue }) => queue.close()));
    },
  };
}

async function closeWorker(log: Logger, { worker, running }: StartedWorker, withinMs: number): Promise<void> {
  const inTime = await settledWithin([worker.pause()], withinMs);
  if (!inTime) {
    // Else they would only be taken up when their locks run out.
    for (const job of running.keys()) {
      log.warn({ job: job.name, jobId: job.id }, 'job handed back unfinished');
      await job.moveToWait(job.token);
    }
  }
  await worker.close(!inTime);
}

/** Whether all of it came to an end before the time was over. */
async function settledWithin(work: readonly Promise<unknown>[], withinMs: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timeout = setTimeout(() => late.resolve(false), withinMs);
  const inTime = await Promise.race([Promise.allSettled(work).then(() => true), late.promise]);
  clearTimeout(timeout);
  return inTime;
}
