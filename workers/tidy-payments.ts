import type { AppContext } from '../src/app.ts';
import { clockAgrees } from '../src/domain/payment/clock-agrees.ts';
import { finalizePayments } from '../src/domain/payment/finalize-payments.ts';
import { freeStuck } from '../src/domain/payment/free-stuck.ts';
import { settleLateTransfers } from '../src/domain/payment/settle-late-transfers.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/**
 * `payments.tidy`: what is final, stuck or was left unbooked; not by a clock that has jumped. Trouble with one cluster is none of
 * the other's.
 */
export const tidyPaymentsJob: JobHandler<'payments.tidy'> = async (ctx) => {
  const environments = Object.keys(ctx.chain) as Environment[];
  await Promise.all(environments.map((environment) => quietly(ctx, environment, tidy)));
};

async function tidy(ctx: AppContext, environment: Environment): Promise<void> {
  const chain = ctx.chain[environment];
  if (!chain || !(await clockAgrees(ctx, chain))) return;
  await Promise.all(
    [freeStuck, settleLateTransfers, finalizePayments].map((each) => quietly(ctx, environment, each)),
  );
}

async function quietly(
  ctx: AppContext,
  environment: Environment,
  tidy: (ctx: AppContext, environment: Environment) => Promise<void>,
): Promise<void> {
  await tidy(ctx, environment).catch((err: unknown) => {
    ctx.log.error({ err, environment, tidying: tidy.name }, 'payments not tidied, will be tried again');
  });
}
