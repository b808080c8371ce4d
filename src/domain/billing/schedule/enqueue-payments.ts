import type { AppContext } from '../../../app.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { delayUntil } from '../../../jobs/jobs.ts';
import { currentTraceparent } from '../../../observability/tracing/trace.ts';

/** Job times are multiples of this, so that payments due at nearly the same time share jobs. */
const JOB_TIME_STEP_MS = 100;
/** Payments due at the same time per job. Different workers can run the jobs. */
const PAYMENTS_PER_JOB = 1_000;
/** Maximum jobs for the same time. Each continues until nothing is due. */
const MAX_JOBS_PER_TIME = 16;
/** How far ahead jobs are added. The scheduler runs every 15 seconds. */
export const ENQUEUED_AHEAD_MS = 120_000;
/** How far ahead jobs for retries are added. The job of a retry is added when its failure is recorded. */
const RETRY_ENQUEUED_AHEAD_MS = 3_600_000;

/** Payments that are due at the same time. */
export interface DueAt {
  readonly environment: Environment;
  readonly at: Date;
  /** Whether they failed before: then they belong to the queue `payments.retry`. */
  readonly isRetry: boolean;
  /** The number of payments; 1 by default. */
  readonly count?: number;
}

type EnqueueContext = Pick<AppContext, 'jobs' | 'clock' | 'log'>;

/**
 * Adds the jobs that collect these payments when they are due. Enqueueing the same
 * payments again adds nothing, because the job's id contains the time. The scheduler adds jobs that
 * are further ahead, and those that could not be added here. Never rejects.
 */
export async function enqueuePayments(ctx: EnqueueContext, dueTimes: readonly DueAt[]): Promise<void> {
  const nowMs = ctx.clock.now().getTime();
  const jobsByTime = new Map<string, Required<DueAt>>();
  for (const { environment, at, isRetry, count = 1 } of dueTimes) {
    const aheadMs = at.getTime() - nowMs;
    if (aheadMs > (isRetry ? RETRY_ENQUEUED_AHEAD_MS : ENQUEUED_AHEAD_MS)) continue;
    const jobTime = jobTimeOf(at.getTime(), nowMs);
    const key = `${environment} ${isRetry} ${jobTime}`;
    const earlierCount = jobsByTime.get(key)?.count ?? 0;
    jobsByTime.set(key, { environment, at: new Date(jobTime), isRetry, count: earlierCount + count });
  }
  const jobs = [...jobsByTime.values()].flatMap((due) => {
    const shares = Math.min(Math.ceil(due.count / PAYMENTS_PER_JOB), MAX_JOBS_PER_TIME);
    return Array.from({ length: shares }, (_, share) => ({ ...due, share }));
  });
  const retries = jobs.filter(({ isRetry }) => isRetry);
  const others = jobs.filter(({ isRetry }) => !isRetry);
  await Promise.all([addJobs(ctx, 'payments.retry', retries), addJobs(ctx, 'payments.collect', others)]);
}

/**
 * Adds one job that continues collecting `afterMs` from now. There is one such job per share and
 * step of time. Never rejects.
 */
export async function enqueueShare(
  ctx: EnqueueContext,
  queue: PaymentQueue,
  { environment, share, afterMs }: { environment: Environment; share: number; afterMs: number },
): Promise<void> {
  const nowMs = ctx.clock.now().getTime();
  const stepMs = Math.max(afterMs, JOB_TIME_STEP_MS);
  const at = new Date((Math.floor(nowMs / stepMs) + 1) * stepMs);
  await addJobs(ctx, queue, [{ environment, share, at }]);
}

export type PaymentQueue = 'payments.collect' | 'payments.retry';

/** A share of what is due in an environment at one time. */
interface ShareJob {
  readonly environment: Environment;
  readonly at: Date;
  readonly share: number;
}

async function addJobs(ctx: EnqueueContext, queue: PaymentQueue, shares: readonly ShareJob[]): Promise<void> {
  try {
    await ctx.jobs.addMany(
      queue,
      shares.map(({ environment, at, share }) => ({
        payload: { environment, share, traceparent: currentTraceparent() },
        jobId: jobIdOf(ctx, { environment, at, share }),
        delayMs: delayUntil(ctx.clock, at),
      })),
    );
  } catch (err) {
    ctx.log.warn({ err, queue }, 'jobs of payments may not have been added: the scheduler will add them');
  }
}

/**
 * The time of the job. A payment that is already due waits for the end of this tenth of a second:
 * by then all payments of that time are committed, and the job sees them.
 */
function jobTimeOf(atMs: number, nowMs: number): number {
  if (atMs <= nowMs) return (Math.floor(nowMs / JOB_TIME_STEP_MS) + 1) * JOB_TIME_STEP_MS;
  return Math.ceil(atMs / JOB_TIME_STEP_MS) * JOB_TIME_STEP_MS;
}

/** The same payments have the same id, until the clock jumps: a job from before that comes too late. */
function jobIdOf({ clock }: EnqueueContext, { environment, at, share }: ShareJob): string {
  const id = `${environment}-${at.getTime()}-${share}`;
  return clock.jumps ? `${id}-${clock.jumps}` : id;
}

/** The due time of a job, from its id; 0 for another form of id. */
export function dueTimeFromId(id: string | undefined): number {
  return Number(/^[A-Z]+-(\d+)-\d+(?:-\d+)?$/.exec(id ?? '')?.[1] ?? 0);
}
