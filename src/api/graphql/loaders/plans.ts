import type { Plan } from '../../../generated/prisma/client.ts';
import { batchLoader } from './batch-loader.ts';

/** Loads a plan by our id. */
export const loadPlan = batchLoader<string, Plan | null>(async ({ app }, ids) => {
  const plans = await app.db.plan.findMany({ where: { id: { in: [...ids] } } });
  const byId = new Map(plans.map((plan) => [plan.id, plan]));
  return ids.map((id) => byId.get(id) ?? null);
});
