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
import { NotYet } from '../src/jobs/not-yet.ts';
import type { JobHandler } from './job-handler.ts';

/**
 * `payments.tidy`: marks final payments and issues their receipts, makes stuck subscriptions due,
 * decides payments whose periods were over before the chain's history was read, and settles waiting
 * transfers and sponsored transactions. Does nothing while our clock is wrong.
 * An error of one environment does not stop the other. While more payments may be final, the job runs again
 * at once, so that a shutdown waits for one run only.
 */
export function tidyPaymentsJob(): JobHandler<'payments.tidy'> {
  const waitingTransfers: Readonly<Record<Environment, WaitingTransfers>> = {
    TEST: new WaitingTransfers(),
    LIVE: new WaitingTransfers(),
  };
  return async (ctx) => {
    const environments = Object.keys(ctx.chain) as Environment[];
    const hasMore = await Promise.all(
      environments.map((environment) =>
        quietly(ctx, environment, function tidyAll() {
          return tidy(ctx, environment, waitingTransfers[environment]);
        }),
      ),
    );
    if (hasMore.includes(true)) throw new NotYet(0);
  };
}

async function tidy(
  ctx: AppContext,
  environment: Environment,
  waitingTransfers: WaitingTransfers,
): Promise<boolean> {
  const chain = ctx.chain[environment];
  if (!chain || !(await clockAgrees(ctx, chain))) return false;
  function settleLate() {
    return settleWaitingTransfers(ctx, environment, waitingTransfers);
  }
  const hasMore = await Promise.all(
    [
      makeStuckDue,
      settleLate,
      decideUndecidedPayments,
      finalizePayments,
      issueMissingReceipts,
      settleSponsored,
    ].map((step) => quietly(ctx, environment, step)),
  );
  return hasMore.includes(true);
}

/** Returns whether the work has more to do at once. */
async function quietly(
  ctx: AppContext,
  environment: Environment,
  tidy: (ctx: AppContext, environment: Environment) => Promise<boolean | undefined> | Promise<void>,
): Promise<boolean> {
  try {
    return (await tidy(ctx, environment)) === true;
  } catch (err) {
    ctx.log.error({ err, environment, tidying: tidy.name }, 'payments not tidied: will be retried');
    return false;
  }
}
