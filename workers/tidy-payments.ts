import type { AppContext } from '../src/app.ts';
import { finalizePayments } from '../src/domain/payment/finalize-payments.ts';
import { freeStuck } from '../src/domain/payment/free-stuck.ts';
import { settleLateTransfers } from '../src/domain/payment/settle-late-transfers.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** `payments.tidy`: what is final, stuck or was left unbooked. Trouble with one cluster is none of the other's. */
export const tidyPaymentsJob: JobHandler<'payments.tidy'> = async (ctx) => {
  const environments = Object.keys(ctx.chain) as Environment[];
  await Promise.all(
    environments.flatMap((environment) =>
      [freeStuck, settleLateTransfers, finalizePayments].map((tidy) => quietly(ctx, environment, tidy)),
    ),
  );
};

async function quietly(
  ctx: AppContext,
  environment: Environment,
  tidy: (ctx: AppContext, environment: Environment) => Promise<void>,
): Promise<void> {
  await tidy(ctx, environment).catch((err: unknown) => {
    ctx.log.error({ err, environment, tidying: tidy.name }, 'payments not tidied, will be tried again');
  });
}
