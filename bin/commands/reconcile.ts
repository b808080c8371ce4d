import { Command } from 'commander';
import type { ReconciledMerchant } from '../../src/domain/reconcile/reconcile-transfers.ts';
import { exitCodeOf, printBooks } from '../books-report.ts';
import { type BooksFlags, withBooksScope } from '../books-scope.ts';
import { orExplain } from '../expected-failure.ts';
import { openBooks } from '../open-books.ts';

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
  await using books = await openBooks();
  const { ctx, onRead } = books;
  const { reconcileTransfers } = await import('../../src/domain/reconcile/reconcile-transfers.ts');
  const { refreshMirror } = await import('../../indexer/refresh-mirror.ts');
  const reconciled: ReconciledMerchant[] = [];
  const scope = { environment, merchantId };
  // The accounts first: a subscription that is seen first books what is waiting for it.
  const refreshed = await refreshMirror(ctx, scope);
  for await (const each of reconcileTransfers(ctx, scope, { onRead })) reconciled.push(each);
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
