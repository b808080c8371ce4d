import type { AppContext } from '../../app.ts';

/**
 * Gives deliveries to deliver jobs, one job each however often it is handed over. Never rejects: a delivery that no job
 * took is found by the next sweep.
 */
export async function handDeliveries(
  ctx: Pick<AppContext, 'jobs' | 'log'>,
  deliveryIds: readonly string[],
): Promise<void> {
  try {
    await ctx.jobs.addMany(
      'webhooks.deliver',
      deliveryIds.map((deliveryId) => ({ payload: { deliveryId }, jobId: deliveryId })),
    );
  } catch (err) {
    ctx.log.warn({ err, deliveries: deliveryIds.length }, 'deliveries not handed over');
  }
}
