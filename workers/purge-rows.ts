import { purge } from '../src/domain/maintenance/retention/purge.ts';
import { checkClock } from '../src/domain/messages/webhook/delivery/check-clock.ts';
import { purgeDeliveries } from '../src/domain/messages/webhook/delivery/purge-deliveries.ts';
import type { JobHandler } from './job-handler.ts';

/** 50,000 rows of each kind in ten minutes, seven million a day. */
const BATCHES_PER_RUN = 100;
/** 200,000 deliveries in ten minutes, 28 million a day. */
const DELIVERY_BATCHES_PER_RUN = 100;

/**
 * `rows.purge`: removes rows that are older than their retention, every ten minutes. Does
 * nothing while our clock may be wrong, because it could remove everything.
 */
export const purgeRowsJob: JobHandler<'rows.purge'> = async (ctx) => {
  if ((await checkClock(ctx)) !== 'right') return;
  await purgeDeliveries(ctx, { batches: DELIVERY_BATCHES_PER_RUN });
  await purge(ctx, { batches: BATCHES_PER_RUN });
};
