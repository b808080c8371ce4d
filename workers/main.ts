import type { AppContext } from '../src/app.ts';
import { DeliveryLoop } from '../src/domain/webhook/delivery/delivery-loop.ts';
import { type JobHandlers, startWorkers, type Workers } from '../src/jobs/worker.ts';
import { collectPaymentsJob } from './collect-payments.ts';
import { expireSessionsJob } from './expire-sessions.ts';
import { foldMetricsJob } from './fold-metrics.ts';
import { followTransactionsJob } from './follow-transactions.ts';
import { purgeDeliveriesJob } from './purge-deliveries.ts';
import { relayEventsJob } from './relay-events.ts';
import { sweepPaymentsJob } from './sweep-payments.ts';

/** Who does which job. */
const handlers = (deliveries: DeliveryLoop): JobHandlers => ({
  'payments.sweep': sweepPaymentsJob,
  'payments.collect': collectPaymentsJob,
  'transactions.follow': followTransactionsJob,
  'events.relay': relayEventsJob(deliveries),
  'webhooks.purge': purgeDeliveriesJob,
  'sessions.expire': expireSessionsJob,
  'metrics.fold': foldMetricsJob,
});

/** The worker role: every job there is and the delivery of webhooks, until closed. */
export async function startWorker(ctx: AppContext): Promise<Workers> {
  const deliveries = new DeliveryLoop(ctx);
  const workers = await startWorkers(ctx, handlers(deliveries)).catch(async (error) => {
    await deliveries.close();
    throw error;
  });
  return {
    close: async (withinMs) => {
      await Promise.all([workers.close(withinMs), deliveries.close(withinMs)]);
    },
  };
}
