import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '../src/app.ts';
import { finalizePayments } from '../src/domain/payment/finalize-payments.ts';
import { followTransactions } from '../src/domain/payment/follow-transactions.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

const TICK_MS = 5_000;
/** Between two looks at transactions of which none was over the last time. */
const LOOK_AGAIN_MS = 300;

/** `transactions.follow`: settles what landed, frees what never will, sends again what still may. */
export const followTransactionsJob: JobHandler<'transactions.follow'> = async (ctx) => {
  const environments = Object.keys(ctx.chain) as Environment[];
  await Promise.all(
    environments.map(async (environment) => {
      await followUntilOver(ctx, environment);
      await finalizePayments(ctx, environment);
    }),
  );
};

/** As long as any is under way, or until the next tick may take over. */
async function followUntilOver(ctx: AppContext, environment: Environment): Promise<void> {
  const until = performance.now() + TICK_MS;
  const resent = new Set<string>();
  while (performance.now() < until) {
    const { open, over } = await followTransactions(ctx, environment, resent);
    if (open === 0) return;
    if (over === 0) await wait(LOOK_AGAIN_MS);
  }
}
