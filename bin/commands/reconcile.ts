import { Command } from 'commander';
import { configFromEnv } from '../../src/config.ts';
import type { ReconciledMerchant } from '../../src/domain/reconcile/reconcile-transfers.ts';
import { exitCodeOf, printBooks } from '../books-report.ts';
import { type BooksFlags, withBooksScope } from '../books-scope.ts';
import { orExplain } from '../expected-failure.ts';
import { Progress } from '../progress.ts';
import { readConfig } from '../read-config.ts';

/** `dues reconcile`: brings mirror and books up to the chain, and tells what it cannot mend; exit code 1 where that is anything. */
export function reconcileCommand(): Command {
  return withBooksScope(new Command('reconcile'))
    .addHelpText(
      'after',
      '\nMay run beside everything else. Exits with 1 where something is left that a person has to look at.',
    )
    .action((flags: BooksFlags) => orExplain('reconcile', reconcile(flags)));
}

async function reconcile({ environment, merchant: merchantId }: BooksFlags): Promise<void> {
  const config = readConfig(configFromEnv);
  const { createApp } = await import('../../src/app.ts');
  const { assertMigrated } = await import('../../src/database/migrations.ts');
  const { reconcileTransfers } = await import('../../src/domain/reconcile/reconcile-transfers.ts');
  const { refreshMirror } = await import('../../indexer/refresh-mirror.ts');
  await using closing = new AsyncDisposableStack();
  const app = await createApp(config);
  closing.defer(() => app.close());
  await assertMigrated(app.ctx.db);
  const progress = new Progress('transactions read');
  const onRead = async (_: unknown, transactions: readonly unknown[]) => progress.add(transactions.length);
  const reconciled: ReconciledMerchant[] = [];
  const scope = { environment, merchantId };
  // The accounts first: a subscription that is seen first books what is waiting for it.
  const refreshed = await refreshMirror(app.ctx, scope);
  for await (const each of reconcileTransfers(app.ctx, scope, { onRead })) reconciled.push(each);
  for (const { environment, address } of refreshed) {
    console.log(`${environment.toLowerCase()}: account ${address} was not as it is on chain, and is now`);
  }
  for (const { merchantId, environment, repaired } of reconciled) {
    for (const signature of repaired) {
      console.log(`${merchantId} (${environment.toLowerCase()}): booked what was missing of ${signature}`);
    }
  }
  printBooks(reconciled);
  process.exitCode = exitCodeOf(reconciled);
}
