import type { AppContext } from '../../../app.ts';
import type { Plan } from '../../../generated/prisma/client.ts';

/** Publishes to the live topics that plans have changed. Call it after the change is committed. */
export async function publishPlans(
  { live }: Pick<AppContext, 'live'>,
  plans: readonly Pick<Plan, 'id' | 'merchantId' | 'environment'>[],
): Promise<void> {
  await Promise.all(
    plans.map(({ id: planId, merchantId, environment }) =>
      live.publish('plan.updated', { merchantId, environment, planId }),
    ),
  );
}
