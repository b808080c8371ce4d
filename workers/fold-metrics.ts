import { foldSubscriptionCounts } from '../src/domain/billing/read/count-subscriptions.ts';
import { foldChanges } from '../src/domain/insight/metrics/fold-changes.ts';
import type { JobHandler } from './job-handler.ts';

/**
 * `metrics.fold`: adds recorded changes to the daily metrics and to the counts of subscriptions.
 */
export const foldMetricsJob: JobHandler<'metrics.fold'> = async (ctx) => {
  await foldChanges(ctx);
  await foldSubscriptionCounts(ctx);
};
