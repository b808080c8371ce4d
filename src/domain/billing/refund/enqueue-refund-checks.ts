import type { AppContext } from '../../../app.ts';
import { delayUntil } from '../../../jobs/jobs.ts';

/** Checks that are due later than this are left to the scheduler. */
const SOON_MS = 15_000;

/**
 * Adds the job that checks refunds, if a check is due soon. Never rejects: the scheduler adds
 * the job every 15 seconds.
 */
export async function enqueueRefundChecks(
  { jobs, clock, log }: Pick<AppContext, 'jobs' | 'clock' | 'log'>,
  nextCheckAt: Date | null,
): Promise<void> {
  if (nextCheckAt === null) return;
  const delayMs = delayUntil(clock, nextCheckAt);
  if (delayMs > SOON_MS) return;
  try {
    const deduplication = { id: 'check', keepLastIfActive: true, reschedule: true };
    await jobs.add('refunds.check', {}, { delayMs, deduplication });
  } catch (err) {
    log.warn({ err }, 'job to check refunds may not have been added: the scheduler will add it');
  }
}
