import type { AppContext } from '../src/app.ts';
import { makeStuckDue } from '../src/domain/billing/follow/make-stuck-due.ts';
import { issueMissingReceipts } from '../src/domain/billing/receipt/issue-missing-receipts.ts';
import { decideUndecidedPayments } from '../src/domain/billing/settle/decide-undecided-payments.ts';
import { finalizePayments } from '../src/domain/billing/settle/finalize-payments.ts';
import {
  settleWaitingTransfers,
  WaitingTransfers,
} from '../src/domain/billing/settle/settle-waiting-transfers.ts';
import { clockAgrees } from '../src/domain/chain-state/clock/clock-agrees.ts';
import { settleSponsored } from '../src/domain/checkout/sponsoring/settle-sponsored.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import type { JobHandler } from './job-handler.ts';

/**
 * `payments.tidy`: marks final payments and issues their receipts, makes stuck subscriptions due,
 * decides payments whose periods were over before the chain's history was read, and settles waiting
 * transfers and sponsored transactions. Does nothing while our clock is wrong.
 * An error of one environment does not stop the other.
 */
export function tidyPaymentsJob(): JobHandler<'payments.tidy'> {
  const waitingTransfers: Readonly<Record<Environment, WaitingTransfers>> = {
    TEST: new WaitingTransfers(),
    LIVE: new WaitingTransfers(),
  };
  return async (ctx) => {
    const environments = Object.keys(ctx.chain) as Environment[];
    await Promise.all(
      environments.map((environment) =>
        quietly(ctx, environment, function tidyAll() {
          return tidy(ctx, environment, waitingTransfers[environment]);
        }),
      ),
    );
  };
}

async function tidy(
  ctx: AppContext,
  environment: Environment,
  waitingTransfers: WaitingTransfers,
): Promise<void> {
  const chain = ctx.chain[environment];
  if (!chain || !(await clockAgrees(ctx, chain))) return;
  function settleLate() {
    return settleWaitingTransfers(ctx, environment, waitingTransfers);
  }
  await Promise.all(
    [
      makeStuckDue,
      settleLate,
      decideUndecidedPayments,
      finalizePayments,
      issueMissingReceipts,
      settleSponsored,
    ].map((step) => quietly(ctx, environment, step)),
  );
}

async function quietly(
  ctx: AppContext,
  environment: Environment,
  tidy: (ctx: AppContext, environment: Environment) => Promise<void>,
): Promise<void> {
  await tidy(ctx, environment).catch((err: unknown) => {
    ctx.log.error({ err, environment, tidying: tidy.name }, 'payments not tidied: will be retried');
  });
}
