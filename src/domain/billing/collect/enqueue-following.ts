import type { AppContext } from '../../../app.ts';

/**
 * Adds the job that follows the transactions in flight. If it runs already, it runs once more
 * afterwards. Never rejects.
 */
export async function enqueueFollowing(ctx: Pick<AppContext, 'jobs' | 'log'>, delayMs = 0): Promise<void> {
  try {
    const deduplication = { id: 'follow', keepLastIfActive: true, reschedule: true };
    await ctx.jobs.add('transactions.follow', {}, { delayMs, deduplication });
  } catch (err) {
    ctx.log.warn({ err }, 'job to follow transactions may not have been added: the scheduler will add it');
  }
}
