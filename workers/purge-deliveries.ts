import { clockAgrees } from '../src/domain/payment/clock-agrees.ts';
import { purgeDeliveries } from '../src/domain/webhook/delivery/purge-deliveries.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** `webhooks.purge`: every ten minutes, unless our clock has jumped: nothing would be young enough to be kept. */
export const purgeDeliveriesJob: JobHandler<'webhooks.purge'> = async (ctx) => {
  for (const chain of Object.values(ctx.chain)) if (!(await clockAgrees(ctx, chain))) return;
  await purgeDeliveries(ctx);
};
