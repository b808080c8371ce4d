import { foldChanges } from '../src/domain/metrics/fold-changes.ts';
import { foldSubscriptionCounts } from '../src/domain/subscription/count-subscriptions.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** `metrics.fold`: folds what was counted of plans into their days, and of subscriptions into one row a merchant. */
export const foldMetricsJob: JobHandler<'metrics.fold'> = async (ctx) => {
  await foldChanges(ctx);
  await foldSubscriptionCounts(ctx);
};
