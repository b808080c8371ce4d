import { collectPayments } from '../src/domain/payment/collect-payments.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** `payments.charge`: collects from those of the subscriptions that are still due. */
export const chargePaymentsJob: JobHandler<'payments.charge'> = (ctx, { environment, subscriptionIds }) =>
  collectPayments(ctx, environment, subscriptionIds);
