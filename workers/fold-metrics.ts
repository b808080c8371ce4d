import { foldChanges } from '../src/domain/metrics/fold-changes.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** `metrics.fold`: folds what was counted of plans into their days. */
export const foldMetricsJob: JobHandler<'metrics.fold'> = (ctx) => foldChanges(ctx);
