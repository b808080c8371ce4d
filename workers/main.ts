import type { AppContext } from '../src/app.ts';
import { assertCollectorsFunded } from '../src/domain/collector/assert-collectors-funded.ts';
import { watchCollectors } from '../src/domain/collector/watch-collectors.ts';
import { ClaimsInHand } from '../src/domain/payment/claims-in-hand.ts';
import { DeliveryLoop } from '../src/domain/webhook/delivery/delivery-loop.ts';
import { type JobHandlers, startWorkers, type Workers } from '../src/jobs/worker.ts';
import { collectPaymentsJob } from './collect-payments.ts';
import { expireSessionsJob } from './expire-sessions.ts';
import { foldMetricsJob } from './fold-metrics.ts';
import { followTransactionsJob } from './follow-transactions.ts';
import { purgeDeliveriesJob } from './purge-deliveries.ts';
import { relayEventsJob } from './relay-events.ts';
import { sweepPaymentsJob } from './sweep-payments.ts';
import { tidyPaymentsJob } from './tidy-payments.ts';
import { watchCollectorsJob } from './watch-collectors.ts';

/** Who does which job. */
const handlers = (deliveries: DeliveryLoop, inHand: ClaimsInHand): JobHandlers => ({
  'payments.sweep': sweepPaymentsJob,
  'payments.collect': collectPaymentsJob(inHand),
  'transactions.follow': followTransactionsJob,
  'payments.tidy': tidyPaymentsJob,
  'events.relay': relayEventsJob(deliveries),
  'webhooks.purge': purgeDeliveriesJob,
  'sessions.expire': expireSessionsJob,
  'metrics.fold': foldMetricsJob,
  'collectors.watch': watchCollectorsJob,
});

/**
 * The worker role: every job there is and the delivery of webhooks, until closed. Closing finishes what is in hand, or gives
 * it back for another worker to take up at once.
 *
 * @throws CollectorWithoutSol
 */
export async function startWorker(ctx: AppContext): Promise<Workers> {
  await assertCollectorsFunded(ctx);
  await watchCollectors(ctx);
  const inHand = new ClaimsInHand();
  const deliveries = new DeliveryLoop(ctx);
  const workers = await startWorkers(ctx, handlers(deliveries, inHand)).catch(async (error) => {
    await deliveries.close();
    throw error;
  });
  return {
    close: async (withinMs) => {
      inHand.stop();
      await Promise.all([workers.close(withinMs), deliveries.close(withinMs)]);
      await inHand.giveBack(ctx);
    },
  };
}
