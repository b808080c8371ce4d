import { type Asset as AssetFacts, describeAsset } from '../../../domain/catalog/asset/describe-asset.ts';
import { listAssets } from '../../../domain/catalog/asset/list-assets.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { builder } from '../builder.ts';
import { type GraphqlContext, scopeOf } from '../context.ts';
import { loadDecimals } from '../loaders/asset-decimals.ts';

interface EnvironmentAsset extends AssetFacts {
  readonly environment: Environment;
}

export const Asset = builder.objectRef<EnvironmentAsset>('Asset').implement({
  description: 'A token with its name, symbol and decimals for display.',
  requires: null,
  fields: (t) => ({
    mint: t.exposeString('mint', { description: 'Mint of the token. Base58.' }),
    symbol: t.exposeString('symbol', {
      nullable: true,
      description:
        'Symbol of the token, for example `USDC`; null if dues does not know the token: show its mint.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Name of the token, for example `USD Coin`; null if dues does not know the token.',
    }),
    decimals: t.int({
      nullable: true,
      description:
        'Number of decimals. With 6 decimals, `"1000000"` base units are 1 token. Null only if dues has not read the token yet and the cluster does not respond: show base units.',
      resolve: ({ environment, mint }, _args, context) => loadDecimals(context, environment, mint),
    }),
    logoUrl: t.exposeString('logoUrl', {
      nullable: true,
      description: 'URL of the logo of the token; null if none is configured.',
    }),
    isDefault: t.exposeBoolean('isDefault', {
      description: 'Whether new plans use this token when `createPlan` names no mint.',
    }),
  }),
});

/** Describes a token by its mint. */
export function assetOf({ app }: GraphqlContext, environment: Environment, mint: string): EnvironmentAsset {
  return { ...describeAsset(app.config.clusters[environment], mint), environment };
}

builder.queryFields((t) => ({
  assets: t.field({
    type: [Asset],
    description:
      'Tokens that the dashboard offers for a new plan, the default token first. `createPlan` accepts other mints too. Errors: `authentication_error`.',
    resolve: async (_root, _args, context) => {
      const { environment } = scopeOf(context);
      const assets = await listAssets(context.app, environment);
      return assets.map((asset) => ({ ...asset, environment }));
    },
  }),
}));
