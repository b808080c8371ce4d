import { startApi } from '../../src/api/server/server.ts';
import { type AppContext, createApp } from '../../src/app.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { recordStatements, type Statement } from '../../tools/statements.ts';
import { worldConfig } from '../../tools/world/config.ts';
import { type BenchQuery, listMerchantQueries, listTimerQueries } from './list.ts';
import { listPageQueries } from './pages.ts';
import { type GrownMerchant, type GrownSizes, seedGrownMerchant } from './seed.ts';
import { listWriterQueries } from './writers.ts';

/** A filled database, the queries of dues, and their statements. */
export interface GrownWorld {
  readonly ctx: AppContext;
  readonly grown: GrownMerchant;
  /** All queries with their statements. */
  statements(): Promise<readonly QueryStatement[]>;
}

export interface QueryStatement extends Statement {
  /** The query and the number of its statement. */
  readonly name: string;
}

/** A chain that throws: a timer's work ends at its first call of the chain, after its queries. */
const NO_CHAIN = new Proxy({} as Chain, {
  get(_, property) {
    if (property === 'then') return undefined;
    throw new Error('no chain here');
  },
});

/** Fills a database, which must have an empty schema, and serves the API on it. */
export async function startGrownWorld(
  closing: AsyncDisposableStack,
  databaseUrl: string,
  sizes: GrownSizes,
): Promise<GrownWorld> {
  const config = worldConfig(databaseUrl, { logLevel: 'fatal' });
  const app = await createApp(config);
  closing.defer(() => app.close());
  const grown = await seedGrownMerchant(app.ctx.db, config.secretKey, sizes);
  const api = await startApi(app.ctx);
  closing.defer(() => api.close());
  const ctx: AppContext = { ...app.ctx, chain: { TEST: NO_CHAIN } };
  const queries = [
    ...listMerchantQueries(api.url, grown, sizes.subscriptions),
    ...listPageQueries(ctx, grown, sizes.subscriptions),
    ...listTimerQueries(ctx, grown),
    ...listWriterQueries(ctx, grown, sizes.subscriptions),
  ];
  return {
    ctx,
    grown,
    async statements() {
      const all: QueryStatement[] = [];
      for (const query of queries) all.push(...(await recordQuery(query)));
      return all;
    },
  };
}

/** Only these statements have a plan. Others are notifications and settings of the connection. */
const EXPLAINED = /^(\/\*[^*]*\*\/)?\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

async function recordQuery({ name, run }: BenchQuery): Promise<QueryStatement[]> {
  const statements = await recordStatements(() =>
    run().catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== 'no chain here') throw error;
    }),
  );
  const explained = statements.filter(({ text }) => EXPLAINED.test(text) && /"[A-Z]/.test(text));
  if (explained.length === 0) throw new Error(`${name} runs no statement`);
  return explained.map(({ text, values }, index) => ({
    name: index === 0 ? name : `${name} (${index + 1})`,
    text,
    values,
  }));
}
