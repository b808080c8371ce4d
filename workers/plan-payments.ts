import type { AppContext } from '../src/app.ts';
import { planDue } from '../src/domain/billing/collect/plan-due.ts';
import { planFollowing } from '../src/domain/billing/collect/plan-following.ts';
import { upkeepWaiting } from '../src/domain/maintenance/upkeep/upkeep-waiting.ts';
import { notifyRelay } from '../src/domain/messages/event/notify-relay.ts';
import {
  newDuePlanning,
  planDueDeliveries,
} from '../src/domain/messages/webhook/delivery/plan-due-deliveries.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { JobHandler } from './job-handler.ts';

/**
 * `payments.plan`: adds the jobs for payments due within the next minutes, and for all work
 * without a job. Runs every 15 seconds, when a worker starts, and after a jump of time.
 */
export function planPaymentsJob(): JobHandler<'payments.plan'> {
  const deliveries = newDuePlanning();
  return async (ctx) => {
    const environments = Object.keys(ctx.chain) as Environment[];
    const outcomes = await Promise.allSettled([
      planUpkeep(ctx),
      planDueDeliveries(ctx, deliveries),
      ...environments.map((environment) => planDue(ctx, environment)),
    ]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  };
}

const PLANNED = ['payments.tidy', 'refunds.check', 'sessions.expire', 'metrics.fold', 'mails.send'] as const;

async function planUpkeep(ctx: AppContext): Promise<void> {
  // Only the relay can find out whether events are waiting, because its progress is in memory.
  await notifyRelay(ctx);
  const waiting = await upkeepWaiting(ctx);
  if (waiting['transactions.follow']) await planFollowing(ctx);
  for (const name of PLANNED) {
    // One job that waits or runs is enough.
    if (waiting[name]) await ctx.jobs.add(name, {}, { deduplication: { id: 'planned' } });
  }
}
