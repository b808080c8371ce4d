import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '../src/app.ts';
import { enqueueFollowing } from '../src/domain/billing/collect/enqueue-following.ts';
import { followTransactions } from '../src/domain/billing/follow/follow-transactions.ts';
import { Resends } from '../src/domain/billing/follow/resends.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { JobHandler } from './job-handler.ts';

/** Maximum time of one turn of an environment. */
const TURN_MS = 5_000;
/** Delay between checks of transactions if none was settled. */
const POLL_INTERVAL_MS = 300;
/** The same after an error. */
const ERROR_DELAY_MS = 1_000;

/**
 * `transactions.follow`: settles transactions in flight and resends those that may still land. The
 * environments are followed in parallel. Each is followed until the other has ended too, so a slow
 * or failing cluster does not delay the other. While transactions are in flight, another job
 * follows.
 */
export function followTransactionsJob(): JobHandler<'transactions.follow'> {
  const resends: Readonly<Record<Environment, Resends>> = { TEST: new Resends(), LIVE: new Resends() };
  return async (ctx) => {
    const environments = Object.keys(ctx.chain) as Environment[];
    let unfinished = environments.length;
    const outcomes = await Promise.all(
      environments.map(async (environment) => {
        let last = await followUntilOver(ctx, environment, resends[environment]);
        unfinished -= 1;
        while (unfinished > 0) {
          await wait(POLL_INTERVAL_MS);
          last = await followUntilOver(ctx, environment, resends[environment]);
        }
        return last;
      }),
    );
    if (outcomes.includes('open')) await enqueueFollowing(ctx, POLL_INTERVAL_MS);
    else if (outcomes.includes('failed')) await enqueueFollowing(ctx, ERROR_DELAY_MS);
  };
}

/** Follows until no transaction is in flight, or until the time of the turn is over. */
async function followUntilOver(
  ctx: AppContext,
  environment: Environment,
  resends: Resends,
): Promise<'over' | 'open' | 'failed'> {
  const until = performance.now() + TURN_MS;
  try {
    while (performance.now() < until) {
      const { open, over } = await followTransactions(ctx, environment, resends);
      if (open === 0) return 'over';
      if (over === 0) await wait(POLL_INTERVAL_MS);
    }
    return 'open';
  } catch (err) {
    ctx.log.error({ err, environment }, 'transactions not followed: will be retried');
    return 'failed';
  }
}
