import type { App } from '../src/app.ts';
import { configFromEnv } from '../src/config.ts';
import { Progress } from './progress.ts';
import { readConfig } from './read-config.ts';

/** What a command that compares the books with the chain works with. Disposing of it closes everything. */
export interface OpenBooks extends AsyncDisposable {
  readonly ctx: App['ctx'];
  /** Tells the person who waits how many transactions have been read. */
  readonly onRead: (plan: unknown, transactions: readonly unknown[]) => Promise<void>;
}

/** @throws ConfigError, and in one line what cannot be used or is not migrated */
export async function openBooks(): Promise<OpenBooks> {
  const config = readConfig(configFromEnv);
  const { createApp } = await import('../src/app.ts');
  const { assertMigrated } = await import('../src/database/migrations.ts');
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
