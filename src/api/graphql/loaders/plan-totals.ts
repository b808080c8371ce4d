import { NO_CHANGES, type PlanChanges, planTotals } from '../../../domain/insight/metrics/plan-changes.ts';
import { batchLoader } from './batch-loader.ts';

/** Loads the totals of a plan by its UUID. */
export const loadPlanTotals = batchLoader<string, PlanChanges>(async ({ app }, planIds) => {
  const totals = await planTotals(app.db, planIds);
  return planIds.map((id) => totals.get(id) ?? NO_CHANGES);
});
