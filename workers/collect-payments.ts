import { collectDue } from '../src/domain/payment/collect-due.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** Whoever has more to do than this leaves it to the next sweep's call: a shutdown must not have to wait for it. */
const MOST_MS = 5_000;

/** `payments.collect`: collects until nothing is due that nobody has in hand. */
export const collectPaymentsJob: JobHandler<'payments.collect'> = (ctx, { environment }) =>
  collectDue(ctx, environment, performance.now() + MOST_MS);
