import { clockStanding } from '../src/domain/webhook/delivery/clock-standing.ts';
import { purgeDeliveries } from '../src/domain/webhook/delivery/purge-deliveries.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** `webhooks.purge`: every ten minutes, unless our clock may have jumped: nothing would be young enough to be kept. */
export const purgeDeliveriesJob: JobHandler<'webhooks.purge'> = async (ctx) => {
  if ((await clockStanding(ctx)) === 'right') await purgeDeliveries(ctx);
};
