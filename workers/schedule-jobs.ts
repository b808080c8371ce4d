import type { AppContext } from '../src/app.ts';
import { enqueueDuePayments } from '../src/domain/billing/collect/enqueue-due-payments.ts';
import { enqueueFollowing } from '../src/domain/billing/collect/enqueue-following.ts';
import { upkeepWaiting } from '../src/domain/maintenance/upkeep/upkeep-waiting.ts';
import { notifyRelay } from '../src/domain/messages/event/notify-relay.ts';
import {
  enqueueDueDeliveries,
  newEnqueueProgress,
} from '../src/domain/messages/webhook/delivery/enqueue-due-deliveries.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { JobHandler } from './job-handler.ts';

/**
 * `jobs.schedule`: adds the jobs for payments due within the next minutes, and for all work
 * without a job. Runs every 15 seconds, when a worker starts, and after a jump of time.
 */
export function scheduleJobs(): JobHandler<'jobs.schedule'> {
  const deliveries = newEnqueueProgress();
  return async (ctx) => {
    const environments = Object.keys(ctx.chain) as Environment[];
    const outcomes = await Promise.allSettled([
      enqueueUpkeep(ctx),
      enqueueDueDeliveries(ctx, deliveries),
      ...environments.map((environment) => enqueueDuePayments(ctx, environment)),
    ]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  };
}

const UPKEEP = [
  ...(['payments.tidy', 'refunds.check', 'timelines.follow', 'sessions.expire'] as const),
  ...(['metrics.fold', 'states.refresh', 'mails.send'] as const),
] as const;

async function enqueueUpkeep(ctx: AppContext): Promise<void> {
  // Only the relay can find out whether events are waiting, because its progress is in memory.
  await notifyRelay(ctx);
  const waiting = await upkeepWaiting(ctx);
  if (waiting['transactions.follow']) await enqueueFollowing(ctx);
  for (const name of UPKEEP) {
    // One job that waits or runs is enough.
    if (waiting[name]) await ctx.jobs.add(name, {}, { deduplication: { id: 'upkeep' } });
  }
}
