import { countDue } from '../src/domain/payment/claim-due.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** For so much that is due another worker is called. */
const DUE_A_WORKER = 1_000;
const MOST_WORKERS = 16;

/**
 * `payments.sweep`: calls workers to collect what is due. It changes nothing, and its jobs name nothing that is owed: one
 * that is lost is made again by the next sweep.
 */
export const sweepPaymentsJob: JobHandler<'payments.sweep'> = async (ctx) => {
  for (const environment of Object.keys(ctx.chain) as Environment[]) {
    const due = await countDue(ctx, environment, DUE_A_WORKER * MOST_WORKERS);
    const shares = Array.from({ length: Math.ceil(due / DUE_A_WORKER) }, (_, share) => ({
      payload: { environment, share },
      // While it waits or runs, the next sweep need not add it again.
      jobId: `${environment}-${share}`,
    }));
    await ctx.jobs.addMany('payments.collect', shares);
  }
};
