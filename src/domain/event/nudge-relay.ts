import type { AppContext } from '../../app.ts';

/** Nudges of one process are this far apart at least: one wakes the relay for all that was recorded until then. */
const APART_MS = 50;

interface Nudging {
  isWanted: boolean;
}
const nudging = new WeakMap<AppContext['jobs'], Nudging>();

/**
 * Wakes the relay after a transaction that recorded events, so that nobody waits for its timer: at once, or with the next
 * nudge where one has just gone out. Never rejects: the events are safe, and the timer finds them.
 */
export async function nudgeRelay(ctx: Pick<AppContext, 'jobs' | 'log'>): Promise<void> {
  const underWay = nudging.get(ctx.jobs);
  if (underWay) {
    underWay.isWanted = true;
    return;
  }
  const state: Nudging = { isWanted: false };
  nudging.set(ctx.jobs, state);
  const timer = setTimeout(() => {
    nudging.delete(ctx.jobs);
    if (state.isWanted) void nudgeRelay(ctx);
  }, APART_MS);
  timer.unref();
  try {
    // Without an id: one that is added while another runs must run as well, it may be for what that one has not seen.
    await ctx.jobs.add('events.relay', {});
  } catch (err) {
    ctx.log.warn({ err }, 'relay not nudged');
  }
}
