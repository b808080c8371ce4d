import { createHash } from 'node:crypto';
import { findDue } from '../src/domain/payment/claim-due.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** As many as a sweep hands over at once; what is left is found a second later. */
const MOST_A_SWEEP = 2_000;
const SUBSCRIPTIONS_A_JOB = 50;

/** `payments.sweep`: hands what is due to charge jobs. Changes nothing: a lost job is found again by the next sweep. */
export const sweepPaymentsJob: JobHandler<'payments.sweep'> = async (ctx) => {
  for (const environment of Object.keys(ctx.chain) as Environment[]) {
    const due = await findDue(ctx, environment, MOST_A_SWEEP);
    const chunks: string[][] = [];
    for (let start = 0; start < due.length; start += SUBSCRIPTIONS_A_JOB) {
      chunks.push(due.slice(start, start + SUBSCRIPTIONS_A_JOB));
    }
    await ctx.jobs.addMany(
      'payments.charge',
      chunks.map((subscriptionIds) => ({
        payload: { environment, subscriptionIds },
        // While a job with these waits, the next sweep need not add another one.
        jobId: createHash('sha256').update(subscriptionIds.join()).digest('hex'),
      })),
    );
  }
};
