import type { JobType } from 'bullmq';
import type { JobName } from '../jobs/catalog.ts';
import type { Jobs } from '../jobs/jobs.ts';

/** The current state of a queue. */
export interface QueueState {
  readonly job: JobName;
  readonly isPaused: boolean;
  /** Jobs that wait for a worker, also while the queue is paused. */
  readonly waiting: number;
  readonly active: number;
  /** Jobs that wait for their scheduled time. */
  readonly delayed: number;
  /** The earliest scheduled time of the delayed jobs, by the machine's clock; null without any. */
  readonly nextAt: Date | null;
  /** Failed jobs that are kept for inspection. */
  readonly failed: number;
  /** Jobs completed in the last full minute; 0 if no worker records metrics. */
  readonly donePerMinute: number;
}

// BullMQ's PostgreSQL store counts the waiting jobs of a paused queue under this type, although its
// `JobType` lacks it. Its Redis store always returns 0.
const PAUSED = 'paused' as JobType;

/** Reads the state of every queue. Rejects if the job store is unreachable. */
export async function readQueueStates(jobs: Jobs): Promise<QueueState[]> {
  const queues = await jobs.queues();
  return Promise.all(
    queues.map(async ({ job, queue }) => {
      const [counts, isPaused, [next], metrics] = await Promise.all([
        queue.getJobCounts('waiting', PAUSED, 'prioritized', 'active', 'delayed', 'failed'),
        queue.isPaused(),
        queue.getDelayed(0, 0),
        queue.getMetrics('completed', 0, 0),
      ]);
      const count = (type: string) => counts[type] ?? 0;
      return {
        job,
        isPaused,
        waiting: count('waiting') + count(PAUSED) + count('prioritized'),
        active: count('active'),
        delayed: count('delayed'),
        nextAt: next ? new Date(next.timestamp + next.delay) : null,
        failed: count('failed'),
        donePerMinute: Number(metrics.data[0] ?? 0),
      };
    }),
  );
}
