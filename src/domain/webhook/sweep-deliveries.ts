import type { AppContext } from '../../app.ts';
import { deliverable } from './deliverable.ts';
import { handDeliveries } from './hand-deliveries.ts';

const BATCH = 1000;

/** Hands the deliveries whose time has come to jobs. It changes nothing, so it may run anywhere, any time. */
export async function sweepDeliveries(ctx: Pick<AppContext, 'db' | 'jobs' | 'clock' | 'log'>): Promise<void> {
  const due = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT d."id" FROM "Delivery" d WHERE ${deliverable(ctx.clock.now())}
    ORDER BY d."nextAttemptAt" LIMIT ${BATCH}`;
  await handDeliveries(
    ctx,
    due.map(({ id }) => id),
  );
}
