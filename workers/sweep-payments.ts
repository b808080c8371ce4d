import type { AppContext } from '../src/app.ts';
import { countDue } from '../src/domain/payment/claim-due.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { JobHandler } from '../src/jobs/worker.ts';
import { currentTraceparent, inSpan } from '../src/tracing/trace.ts';

/** For so much that is due another worker is called. */
const DUE_A_WORKER = 1_000;
const MOST_WORKERS = 16;

/**
 * `payments.sweep`: calls workers to collect what is due. It changes nothing, and its jobs name nothing that is owed: one
 * that is lost is made again by the next sweep.
 */
export const sweepPaymentsJob: JobHandler<'payments.sweep'> = async (ctx) => {
  const environments = Object.keys(ctx.chain) as Environment[];
  const sweeps = await Promise.allSettled(environments.map((environment) => sweep(ctx, environment)));
  for (const outcome of sweeps) if (outcome.status === 'rejected') throw outcome.reason;
};

async function sweep(ctx: AppContext, environment: Environment): Promise<void> {
  const due = await countDue(ctx, environment, DUE_A_WORKER * MOST_WORKERS);
  if (due === 0) return;
  await inSpan('payments.sweep', { attributes: { 'dues.environment': environment, 'dues.due': due } }, () =>
    call(ctx, environment, Math.ceil(due / DUE_A_WORKER)),
  );
}

function call({ jobs }: AppContext, environment: Environment, workers: number): Promise<void> {
  return jobs.addMany(
    'payments.collect',
    Array.from({ length: workers }, (_, share) => ({
      payload: { environment, share, traceparent: currentTraceparent() },
      // While it waits or runs, the next sweep need not add it again.
      jobId: `${environment}-${share}`,
    })),
  );
}
