import type { AppContext } from '../src/app.ts';
import { settledWithin } from '../src/async/settled-within.ts';
import type { Config } from '../src/config.ts';
import { OpenClaims } from '../src/domain/billing/collect/open-claims.ts';
import { refreshStates } from '../src/domain/billing/customer-state/refresh-states.ts';
import type { Mailer } from '../src/domain/messages/mail/mailer.ts';
import { Deliverer } from '../src/domain/messages/webhook/delivery/deliverer.ts';
import { CLOSE_TIMEOUT_MS, startWorkers, type Workers } from '../src/jobs/worker.ts';
import { checkRefundsJob } from './check-refunds.ts';
import { PaymentCollector } from './collect-payments.ts';
import { deliverWebhooksJob } from './deliver-webhooks.ts';
import { expireSessionsJob } from './expire-sessions.ts';
import { foldMetricsJob } from './fold-metrics.ts';
import { followTimelinesJob } from './follow-timelines.ts';
import { followTransactionsJob } from './follow-transactions.ts';
import { forgetChangesJob } from './forget-changes.ts';
import type { JobHandlers } from './job-handler.ts';
import { sendMailsJob, startMailer, writeTimedMailsJob } from './mail.ts';
import { purgeRowsJob } from './purge-rows.ts';
import { relayEventsJob } from './relay-events.ts';
import { scheduleJobs } from './schedule-jobs.ts';
import { tidyPaymentsJob } from './tidy-payments.ts';
import { watchCollectorsJob } from './watch-collectors.ts';

/** The handler of each job. */
const handlers = (
  deliverer: Deliverer,
  collector: PaymentCollector,
  mailer: Mailer | undefined,
  { relayShards }: Config,
): JobHandlers => ({
  'jobs.schedule': scheduleJobs(),
  'payments.collect': collector.job('payments.collect'),
  'payments.retry': collector.job('payments.retry'),
  'transactions.follow': followTransactionsJob(),
  'payments.tidy': tidyPaymentsJob(),
  'refunds.check': checkRefundsJob,
  'timelines.follow': followTimelinesJob,
  'changes.forget': forgetChangesJob,
  'events.relay': relayEventsJob(deliverer, relayShards),
  'webhooks.deliver': deliverWebhooksJob(deliverer),
  'rows.purge': purgeRowsJob,
  'sessions.expire': expireSessionsJob,
  'metrics.fold': foldMetricsJob,
  'states.refresh': refreshStates,
  'mails.send': sendMailsJob(mailer),
  'mails.write': writeTimedMailsJob,
  'collectors.watch': watchCollectorsJob,
});

/**
 * The worker role: runs all jobs until it is closed. Closing finishes the running work, or releases
 * it so that another worker continues at once. A collector without SOL is logged, and the payments
 * of its environment are collected once it has SOL.
 */
export async function startWorker(ctx: AppContext): Promise<Workers> {
  await watchCollectorsJob(ctx);
  const claims = new OpenClaims();
  const collector = new PaymentCollector(claims);
  const deliverer = new Deliverer(ctx);
  const mailer = startMailer(ctx);
  const run = handlers(deliverer, collector, mailer, ctx.config);
  const workers = await startWorkers(ctx, run).catch(async (error) => {
    await deliverer.close();
    mailer?.close();
    throw error;
  });
  // Payments that fell due while no worker ran, or when the time jumped, have no job yet.
  await schedule(ctx);
  const stopWatching = ctx.clock.onJump?.(() => void schedule(ctx));
  return {
    close: async (withinMs = CLOSE_TIMEOUT_MS) => {
      stopWatching?.();
      claims.stop();
      const until = performance.now() + withinMs;
      await Promise.all([workers.close(withinMs), deliverer.close(withinMs)]);
      await settledWithin([collector.idle()], Math.max(0, until - performance.now()));
      mailer?.close();
      await claims.releaseAll(ctx);
    },
  };
}

/** Runs the scheduler now. Never rejects. */
async function schedule({ jobs, log }: AppContext): Promise<void> {
  const deduplication = { id: 'asked', keepLastIfActive: true };
  await jobs
    .add('jobs.schedule', {}, { deduplication })
    .catch((err: unknown) => log.warn({ err }, 'scheduler not started: its timer will start it'));
}
