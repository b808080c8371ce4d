import { Command } from 'commander';
import type { MerchantAudit } from '../../src/domain/maintenance/books-check/audit-books.ts';
import { createBooksContext } from '../books-context.ts';
import { exitCodeOf, printBooks } from '../books-report.ts';
import { type BooksFlags, withBooksScope } from '../books-scope.ts';
import { exitOnFailure } from '../expected-failure.ts';

/**
 * `dues audit`: compares transfers on chain with settled payments and refunds, merchant by merchant;
 * exit code 1 on a difference or an unreadable transaction.
 */
export function auditCommand(): Command {
  return withBooksScope(new Command('audit'))
    .addHelpText(
      'after',
      '\nChanges nothing. Exits with 1 if the books and the chain differ, or if a transaction cannot be read.',
    )
    .action((flags: BooksFlags) => exitOnFailure('audit', audit(flags)));
}

async function audit({ environment, merchant: merchantId }: BooksFlags): Promise<void> {
  await using books = await createBooksContext({ environment, isReading: true });
  const { ctx, onRead } = books;
  const { auditBooks } = await import('../../src/domain/maintenance/books-check/audit-books.ts');
  const audits: MerchantAudit[] = [];
  for await (const merchantAudit of auditBooks(ctx, { environment, merchantId }, { onRead })) {
    audits.push(merchantAudit);
  }
  printBooks(audits);
  process.exitCode = exitCodeOf(audits);
}
