import type { AppContext } from '../../app.ts';

/**
 * Wakes the relay after a transaction that recorded an event, so that nobody waits for its timer. Never rejects: the
 * event is safe, and the timer finds it.
 */
export async function nudgeRelay(ctx: Pick<AppContext, 'jobs' | 'log'>): Promise<void> {
  try {
    await ctx.jobs.add('events.relay', {}, { jobId: 'nudge' });
  } catch (err) {
    ctx.log.warn({ err }, 'relay not nudged');
  }
}
