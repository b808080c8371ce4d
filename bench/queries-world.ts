import { startApi } from '../src/api/server/server.ts';
import { type AppContext, createApp } from '../src/app.ts';
import type { Chain } from '../src/chain/chain.ts';
import { recordStatements, type Statement } from '../tools/statements.ts';
import { benchConfig } from './config.ts';
import { type Asked, askedByMerchants, askedByTimers } from './queries-asked.ts';
import { askedByPages } from './queries-pages.ts';
import { type Grown, type GrownSizes, seedGrown } from './queries-seed.ts';
import { askedByWriters } from './queries-written.ts';

/** A filled database, the queries of dues, and their statements. */
export interface GrownWorld {
  readonly ctx: AppContext;
  readonly grown: Grown;
  /** All queries with their statements. */
  statements(): Promise<readonly AskedStatement[]>;
}

export interface AskedStatement extends Statement {
  /** The query and the number of its statement. */
  readonly name: string;
}

/** Nothing listens there: a timer's work ends at its first call of the chain, after its queries. */
const AWAY = new Proxy({} as Chain, {
  get(_, property) {
    if (property === 'then') return undefined;
    throw new Error('no chain here');
  },
});

/** Fills a database, which must have an empty schema, and serves the API on it. */
export async function startGrown(
  closing: AsyncDisposableStack,
  databaseUrl: string,
  sizes: GrownSizes,
): Promise<GrownWorld> {
  const config = benchConfig(databaseUrl, { logLevel: 'fatal' });
  const app = await createApp(config);
  closing.defer(() => app.close());
  const grown = await seedGrown(app.ctx.db, config.secretKey, sizes);
  const api = await startApi(app.ctx);
  closing.defer(() => api.close());
  const ctx: AppContext = { ...app.ctx, chain: { TEST: AWAY } };
  const asked = [
    ...askedByMerchants(api.url, grown, sizes.subscriptions),
    ...askedByPages(ctx, grown, sizes.subscriptions),
    ...askedByTimers(ctx, grown),
    ...askedByWriters(ctx, grown, sizes.subscriptions),
  ];
  return {
    ctx,
    grown,
    async statements() {
      const all: AskedStatement[] = [];
      for (const each of asked) all.push(...(await named(each)));
      return all;
    },
  };
}

/** Notices and definitions of the session have no plan. */
const EXPLAINED = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

async function named({ name, ask }: Asked): Promise<AskedStatement[]> {
  const seen = await recordStatements(() =>
    ask().catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== 'no chain here') throw error;
    }),
  );
  const rows = seen.filter(({ text }) => EXPLAINED.test(text) && /"[A-Z]/.test(text));
  if (rows.length === 0) throw new Error(`${name} asks for nothing`);
  return rows.map((statement, at) => ({ name: at === 0 ? name : `${name} (${at + 1})`, ...statement }));
}
