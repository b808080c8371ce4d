import type { App } from '../src/app.ts';
import { type Config, configFromEnv } from '../src/config.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
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

export interface BooksContextOptions {
  /** The only environment whose cluster is reached; default all. */
  readonly environment?: Environment | undefined;
  /** Whether the command changes nothing. It then needs no queues, and Redis may be away. */
  readonly isReading?: boolean;
}

/** @throws ConfigError, or an error of one line if something is unreachable or not migrated */
export async function createBooksContext({
  environment,
  isReading = false,
}: BooksContextOptions): Promise<BooksContext> {
  const { redisUrl, redisNodes, clusters, ...shared } = readConfig(configFromEnv);
  const cluster = environment && clusters[environment];
  const config: Config = {
    ...shared,
    redisUrl: isReading ? undefined : redisUrl,
    ...(redisNodes && !isReading && { redisNodes }),
    clusters: environment ? { ...(cluster && { [environment]: cluster }) } : clusters,
  };
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
