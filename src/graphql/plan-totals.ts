import DataLoader from 'dataloader';
import { NO_CHANGES, type PlanChanges, planTotals } from '../domain/metrics/plan-changes.ts';
import type { GraphqlContext } from './context.ts';

const loaders = new WeakMap<GraphqlContext, DataLoader<string, PlanChanges>>();

/** The totals of a plan, by our id; those of all the plans in an answer are read together. */
export function loadPlanTotals(context: GraphqlContext, planId: string): Promise<PlanChanges> {
  const loader = loaders.get(context) ?? createLoader(context);
  loaders.set(context, loader);
  return loader.load(planId);
}

// Nothing is kept: a live stream answers many times in one context.
function createLoader({ app }: GraphqlContext): DataLoader<string, PlanChanges> {
  const read = async (planIds: readonly string[]) => {
    const totals = await planTotals(app.db, planIds);
    return planIds.map((id) => totals.get(id) ?? NO_CHANGES);
  };
  return new DataLoader(read, { cache: false });
}
