import DataLoader from 'dataloader';
import { NO_CHANGES, type PlanChanges, planTotals } from '../../domain/metrics/plan-changes.ts';
import type { GraphqlContext } from './context.ts';

const loaders = new WeakMap<GraphqlContext, DataLoader<string, PlanChanges>>();

/** Totals of a plan, by our id. All plans of one response are loaded together. */
export function loadPlanTotals(context: GraphqlContext, planId: string): Promise<PlanChanges> {
  const loader = loaders.get(context) ?? createLoader(context);
  loaders.set(context, loader);
  return loader.load(planId);
}

// Nothing is cached: a live stream sends many responses in one context.
function createLoader({ app }: GraphqlContext): DataLoader<string, PlanChanges> {
  const read = async (planIds: readonly string[]) => {
    const totals = await planTotals(app.db, planIds);
    return planIds.map((id) => totals.get(id) ?? NO_CHANGES);
  };
  return new DataLoader(read, { cache: false });
}
