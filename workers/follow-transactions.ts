import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '../src/app.ts';
import { followTransactions } from '../src/domain/payment/follow-transactions.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

const TICK_MS = 5_000;
/** Between two looks at transactions of which none was over the last time. */
const LOOK_AGAIN_MS = 300;

/**
 * `transactions.follow`: settles what landed, frees what never will, sends again what still may. The environments are
 * followed side by side, and each goes on until all have come to the end of the tick: where one cluster leaves us waiting,
 * or fails, the other one's money is looked after all the same.
 */
export const followTransactionsJob: JobHandler<'transactions.follow'> = async (ctx) => {
  const environments = Object.keys(ctx.chain) as Environment[];
  let under = environments.length;
  await Promise.all(
    environments.map(async (environment) => {
      await followUntilOver(ctx, environment);
      under -= 1;
      while (under > 0) {
        await wait(LOOK_AGAIN_MS);
        await followUntilOver(ctx, environment);
      }
    }),
  );
};

/** As long as any is under way, or until the next tick may take over. */
async function followUntilOver(ctx: AppContext, environment: Environment): Promise<void> {
  const until = performance.now() + TICK_MS;
  const resent = new Set<string>();
  try {
    while (performance.now() < until) {
      const { open, over } = await followTransactions(ctx, environment, resent);
      if (open === 0) return;
      if (over === 0) await wait(LOOK_AGAIN_MS);
    }
  } catch (err) {
    ctx.log.error({ err, environment }, 'transactions not followed, will be tried again');
  }
}
