import { styleText } from 'node:util';
import { Command, InvalidArgumentError } from 'commander';
import type { LostTime } from '../../src/domain/maintenance/after-restore/lost-times.ts';
import type { UnknownRefund } from '../../src/domain/maintenance/after-restore/unknown-refunds.ts';
import type { UnknownSubscription } from '../../src/domain/maintenance/after-restore/unknown-subscriptions.ts';
import type { ReconciledMerchant } from '../../src/domain/maintenance/books-check/reconcile-transfers.ts';
import type { Environment } from '../../src/generated/prisma/client.ts';
import { createBooksContext } from '../books-context.ts';
import { exitCodeOf, printBooks } from '../books-report.ts';
import { type BooksFlags, withBooksScope } from '../books-scope.ts';
import { exitOnFailure } from '../expected-failure.ts';

/**
 * `dues reconcile`: repairs mirror and books from the chain, and reports what it cannot repair;
 * exit code 1 if anything is left.
 */
export function reconcileCommand(): Command {
  return withBooksScope(new Command('reconcile'))
    .option(
      '--after-restore <time>',
      'a backup of this time was restored: number new events above all others, and collect nothing until the chain was read',
      parseTime,
    )
    .addHelpText(
      'after',
      '\nMay run at any time next to other processes. Exits with 1 if something is left for an operator.',
    )
    .action((flags: ReconcileFlags) => exitOnFailure('reconcile', reconcile(flags)));
}

function parseTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('It must be an ISO 8601 time.');
  return time;
}

/** Names what the chain cannot show: the rows of a time that the database may have lost. */
function printLostTime({ environment, from, until }: LostTime): void {
  const time = `from ${from?.toISOString() ?? 'an unknown time'} to ${until?.toISOString() ?? 'now'}`;
  console.log(
    `${environment.toLowerCase()}: cancellations without a transaction, refunds, checkouts, keys and settings ${time} may be lost`,
  );
}

function printUnknownRefund({ merchantId, environment, refundId, signature }: UnknownRefund): void {
  console.log(
    `${styleText('red', `${merchantId} (${environment.toLowerCase()}): a transfer names refund ${refundId}, whose row is lost: its merchant must look at the transfer, and request the refund again`)}\n  ${signature}`,
  );
}

function printUnknownSubscription(unknown: UnknownSubscription): void {
  const { merchantId, environment, planId, address, walletAddress } = unknown;
  console.log(
    `${merchantId} (${environment.toLowerCase()}): wallet ${walletAddress} subscribed to plan ${planId} on chain, and no checkout of it is known, so nothing is collected: its merchant opens a new checkout of the plan for the customer, who signs with the same wallet\n  ${address}`,
  );
}

interface ReconcileFlags extends BooksFlags {
  readonly afterRestore?: Date;
}

async function reconcile({ environment, merchant: merchantId, afterRestore }: ReconcileFlags): Promise<void> {
  await using books = await createBooksContext({ environment });
  const { ctx, onRead } = books;
  const { reconcileTransfers } = await import(
    '../../src/domain/maintenance/books-check/reconcile-transfers.ts'
  );
  const { refreshMirror } = await import('../../indexer/repair/refresh-mirror.ts');
  const { unknownRefunds } = await import('../../src/domain/maintenance/after-restore/unknown-refunds.ts');
  const { unknownSubscriptions } = await import(
    '../../src/domain/maintenance/after-restore/unknown-subscriptions.ts'
  );
  const { lostTimes } = await import('../../src/domain/maintenance/after-restore/lost-times.ts');
  const environments = environment ? [environment] : (Object.keys(ctx.chain) as Environment[]);
  if (afterRestore !== undefined) {
    const { beginTimeline } = await import('../../src/domain/maintenance/after-restore/begin-timeline.ts');
    await beginTimeline(ctx, environments, afterRestore);
    for (const name of environments)
      console.log(`${name.toLowerCase()}: a new timeline has begun: see dues restores`);
  }
  const reconciled: ReconciledMerchant[] = [];
  const scope = { environment, merchantId };
  // Accounts first: a newly seen subscription settles the transfers that wait for it.
  const refreshed = await refreshMirror(ctx, scope);
  for await (const merchant of reconcileTransfers(ctx, scope, { onRead })) reconciled.push(merchant);
  for (const { environment, address } of refreshed) {
    console.log(`${environment.toLowerCase()}: account ${address} differed from the chain and was updated`);
  }
  for (const { merchantId, environment, repaired } of reconciled) {
    for (const signature of repaired) {
      console.log(`${merchantId} (${environment.toLowerCase()}): settled missing transfers of ${signature}`);
    }
  }
  const lost = await lostTimes(ctx, environments);
  for (const time of lost) printLostTime(time);
  if (lost.length > 0)
    console.log('With Redis, the worker repeats cancellations, waivers and revoked keys: see dues restores.');
  const unknown = await unknownRefunds(ctx, scope);
  for (const refund of unknown) printUnknownRefund(refund);
  for await (const subscription of unknownSubscriptions(ctx, scope)) printUnknownSubscription(subscription);
  printBooks(reconciled);
  process.exitCode = unknown.length > 0 ? 1 : exitCodeOf(reconciled);
}
