import type { AppContext } from '../src/app.ts';
import { checkRefunds } from '../src/domain/billing/refund/check-refunds.ts';
import { enqueueRefundChecks } from '../src/domain/billing/refund/enqueue-refund-checks.ts';
import { clockAgrees } from '../src/domain/chain-state/clock/clock-agrees.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { JobHandler } from './job-handler.ts';

/**
 * `refunds.check`: finds the transfers of refunds on chain, and expires refunds that were not sent.
 * Does nothing while our clock is wrong. If another check is due soon, it adds the next job. An
 * error of one environment does not stop the other.
 */
export const checkRefundsJob: JobHandler<'refunds.check'> = async (ctx) => {
  const environments = Object.keys(ctx.chain) as Environment[];
  const nextChecks = await Promise.all(environments.map((environment) => checkQuietly(ctx, environment)));
  const times = nextChecks.flatMap((at) => at?.getTime() ?? []);
  await enqueueRefundChecks(ctx, times.length === 0 ? null : new Date(Math.min(...times)));
};

async function checkQuietly(ctx: AppContext, environment: Environment): Promise<Date | null> {
  const chain = ctx.chain[environment];
  try {
    return chain && (await clockAgrees(ctx, chain)) ? await checkRefunds(ctx, chain) : null;
  } catch (err) {
    ctx.log.error({ err, environment }, 'refunds not checked: will be retried');
    return null;
  }
}
