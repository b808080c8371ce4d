import type { AppContext } from '../src/app.ts';
import { type JobHandlers, startWorkers, type Workers } from '../src/jobs/worker.ts';
import { chargePaymentsJob } from './charge-payments.ts';
import { deliverWebhookJob, sweepWebhooksJob } from './deliver-webhook.ts';
import { expireSessionsJob } from './expire-sessions.ts';
import { followTransactionsJob } from './follow-transactions.ts';
import { relayEventsJob } from './relay-events.ts';
import { sweepPaymentsJob } from './sweep-payments.ts';

/** Who does which job. */
export const handlers: JobHandlers = {
  'payments.sweep': sweepPaymentsJob,
  'payments.charge': chargePaymentsJob,
  'transactions.follow': followTransactionsJob,
  'events.relay': relayEventsJob,
  'webhooks.sweep': sweepWebhooksJob,
  'webhooks.deliver': deliverWebhookJob,
  'sessions.expire': expireSessionsJob,
};

/** The worker role: every job there is, until closed. */
export function startWorker(ctx: AppContext): Promise<Workers> {
  return startWorkers(ctx, handlers);
}
