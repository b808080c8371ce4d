import { Command } from 'commander';
import { configFromEnv } from '../../src/config.ts';
import type { MerchantAudit } from '../../src/domain/books-audit/audit-books.ts';
import { exitCodeOf, printBooks } from '../books-report.ts';
import { type BooksFlags, withBooksScope } from '../books-scope.ts';
import { orExplain } from '../expected-failure.ts';
import { Progress } from '../progress.ts';
import { readConfig } from '../read-config.ts';

/** `dues audit`: what was charged on chain against what is booked, merchant by merchant; exit code 1 on a difference. */
export function auditCommand(): Command {
  return withBooksScope(new Command('audit'))
    .addHelpText('after', '\nReads only. Exits with 1 where the books and the chain differ.')
    .action((flags: BooksFlags) => orExplain('audit', audit(flags)));
}

async function audit({ environment, merchant: merchantId }: BooksFlags): Promise<void> {
  const config = readConfig(configFromEnv);
  const { createApp } = await import('../../src/app.ts');
  const { assertMigrated } = await import('../../src/database/migrations.ts');
  const { auditBooks } = await import('../../src/domain/books-audit/audit-books.ts');
  await using closing = new AsyncDisposableStack();
  const app = await createApp(config);
  closing.defer(() => app.close());
  await assertMigrated(app.ctx.db);
  const progress = new Progress('transactions read');
  const onRead = async (_: unknown, transactions: readonly unknown[]) => progress.add(transactions.length);
  const audits: MerchantAudit[] = [];
  for await (const each of auditBooks(app.ctx, { environment, merchantId }, { onRead })) audits.push(each);
  printBooks(audits);
  process.exitCode = exitCodeOf(audits);
}
