import { Command } from 'commander';
import type { MerchantAudit } from '../../src/domain/maintenance/books-check/audit-books.ts';
import { createBooksContext } from '../books-context.ts';
import { exitCodeOf, printBooks, printWrongRows } from '../books-report.ts';
import { type BooksFlags, withBooksScope } from '../books-scope.ts';
import { exitOnFailure } from '../expected-failure.ts';
import { Progress } from '../progress.ts';

interface AuditFlags extends BooksFlags {
  readonly books: boolean;
}

/**
 * `dues audit`: compares transfers on chain with settled payments and refunds, merchant by merchant;
 * exit code 1 on a difference or an unreadable transaction. With `--books` it also checks the rows
 * themselves: `docs/operations.md`.
 */
export function auditCommand(): Command {
  return withBooksScope(new Command('audit'))
    .option('--books', 'also check that all rows agree with one another', false)
    .addHelpText(
      'after',
      '\nChanges nothing. Exits with 1 if the books and the chain differ, or if a transaction cannot be read.',
    )
    .action((flags: AuditFlags) => exitOnFailure('audit', audit(flags)));
}

async function audit({ environment, merchant: merchantId, books: checksRows }: AuditFlags): Promise<void> {
  await using books = await createBooksContext({ environment, isReading: true });
  const { ctx, onRead } = books;
  const { auditBooks } = await import('../../src/domain/maintenance/books-check/audit-books.ts');
  const audits: MerchantAudit[] = [];
  for await (const merchantAudit of auditBooks(ctx, { environment, merchantId }, { onRead })) {
    audits.push(merchantAudit);
  }
  printBooks(audits);
  process.exitCode = exitCodeOf(audits);
  if (!checksRows) return;
  const { checkRows } = await import('../../src/domain/maintenance/books-check/rows/check-rows.ts');
  const progress = new Progress('rules checked');
  for (const { environment: name } of Object.values(ctx.chain)) {
    const wrong = await checkRows(ctx, { environment: name, merchantId }, () => progress.add(1));
    printWrongRows(name, wrong);
    if (wrong.length > 0) process.exitCode = 1;
  }
}
