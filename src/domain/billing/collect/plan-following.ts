import type { AppContext } from '../../../app.ts';

/**
 * Plans the job that follows the transactions in flight. If it runs already, it runs once more
 * afterwards. Never rejects.
 */
export async function planFollowing(ctx: Pick<AppContext, 'jobs' | 'log'>, delayMs = 0): Promise<void> {
  try {
    const deduplication = { id: 'follow', keepLastIfActive: true, reschedule: true };
    await ctx.jobs.add('transactions.follow', {}, { delayMs, deduplication });
  } catch (err) {
    ctx.log.warn({ err }, 'job to follow transactions may not be planned: the planner will add it');
  }
}
