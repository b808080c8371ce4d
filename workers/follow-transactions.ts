import { finalizePayments } from '../src/domain/payment/finalize-payments.ts';
import { followTransactions } from '../src/domain/payment/follow-transactions.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** `transactions.follow`: settles what landed, frees what never will, sends again what still may. */
export const followTransactionsJob: JobHandler<'transactions.follow'> = async (ctx) => {
  for (const environment of Object.keys(ctx.chain) as Environment[]) {
    await followTransactions(ctx, environment);
    await finalizePayments(ctx, environment);
  }
};
