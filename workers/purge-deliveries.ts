import { purgeDeliveries } from '../src/domain/webhook/delivery/purge-deliveries.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** `webhooks.purge`: every ten minutes. */
export const purgeDeliveriesJob: JobHandler<'webhooks.purge'> = (ctx) => purgeDeliveries(ctx);
