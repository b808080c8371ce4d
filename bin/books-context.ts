import type { App } from '../src/app.ts';
import { configFromEnv } from '../src/config.ts';
import { Progress } from './progress.ts';
import { readConfig } from './read-config.ts';

/**
 * The context of a command that compares the books with the chain. Disposing of it closes
 * everything.
 */
export interface BooksContext extends AsyncDisposable {
  readonly ctx: App['ctx'];
  /** Reports the number of transactions read. */
  readonly onRead: (plan: unknown, transactions: readonly unknown[]) => Promise<void>;
}

/** @throws ConfigError, or an error of one line if something is unreachable or not migrated */
export async function createBooksContext(): Promise<BooksContext> {
  const config = readConfig(configFromEnv);
  const { createApp } = await import('../src/app.ts');
  const { assertMigrated } = await import('../src/postgres/migrations.ts');
  await using opening = new AsyncDisposableStack();
  const { ctx, close } = await createApp(config);
  opening.defer(close);
  await assertMigrated(ctx.db);
  const progress = new Progress('transactions read');
  const opened = opening.move();
  return {
    ctx,
    onRead: async (_, transactions) => progress.add(transactions.length),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
