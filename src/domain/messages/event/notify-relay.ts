import type { AppContext } from '../../../app.ts';

/**
 * Minimum interval between notifications of one process. One notification is for all new events.
 */
const MIN_INTERVAL_MS = 50;
/** Notifications of all processes within this time have the same id: at most one job waits. */
const TURN_MS = 1_000;
/**
 * The number of ids, and so of jobs that wait while no worker runs. An id is used again after 120
 * seconds. By then it is free, because the job of a killed worker is locked for at most 60 seconds.
 */
const TURNS = 120;

interface Notification {
  isWanted: boolean;
}
const notifications = new WeakMap<AppContext['jobs'], Notification>();

/**
 * Notifies the relay after a transaction that recorded events, so that they do not wait for the
 * scheduler. It does so at once, or soon after the previous notification. Never rejects: the events
 * are stored, and the scheduler notifies the relay every 15 seconds.
 */
export async function notifyRelay(ctx: Pick<AppContext, 'jobs' | 'log'>): Promise<void> {
  const pending = notifications.get(ctx.jobs);
  if (pending) {
    pending.isWanted = true;
    return;
  }
  const state: Notification = { isWanted: false };
  notifications.set(ctx.jobs, state);
  const timer = setTimeout(() => {
    notifications.delete(ctx.jobs);
    if (state.isWanted) void notifyRelay(ctx);
  }, MIN_INTERVAL_MS);
  timer.unref();
  try {
    const turn = Math.floor(Date.now() / TURN_MS) % TURNS;
    // A job added while another runs must run too: it may concern events that the other has not
    // seen.
    const deduplication = { id: `turn-${turn}`, keepLastIfActive: true };
    await ctx.jobs.add('events.relay', {}, { deduplication });
  } catch (err) {
    ctx.log.warn({ err }, 'relay not notified');
  }
}
