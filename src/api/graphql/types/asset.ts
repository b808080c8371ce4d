import { type Asset as AssetFacts, describeAsset } from '../../../domain/asset/describe-asset.ts';
import { listAssets } from '../../../domain/asset/list-assets.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { loadDecimals } from '../asset-decimals.ts';
import { builder } from '../builder.ts';
import { type GraphqlContext, scopeOf } from '../context.ts';

interface AssetOf extends AssetFacts {
  readonly environment: Environment;
}

export const Asset = builder.objectRef<AssetOf>('Asset').implement({
  description: 'A token, as pages show it.',
  requires: null,
  fields: (t) => ({
    mint: t.exposeString('mint', { description: 'Mint of the token. Base58.' }),
    symbol: t.exposeString('symbol', {
      nullable: true,
      description: '`USDC`; null for an unknown token: show its mint.',
    }),
    name: t.exposeString('name', { nullable: true, description: '`USD Coin`; null for an unknown token.' }),
    decimals: t.int({
      nullable: true,
      description:
        'Number of decimals: with 6, `"1000000"` base units are 1. Null only while the cluster does not respond and dues has not read the token yet: show base units.',
      resolve: ({ environment, mint }, _args, context) => loadDecimals(context, environment, mint),
    }),
    logoUrl: t.exposeString('logoUrl', {
      nullable: true,
      description: 'URL of its logo; null if none is configured.',
    }),
    isDefault: t.exposeBoolean('isDefault', {
      description: 'Whether plans are priced in it unless they name another token.',
    }),
  }),
});

/** The token of an amount or a plan. */
export function assetOf({ app }: GraphqlContext, environment: Environment, mint: string): AssetOf {
  return { ...describeAsset(app.config.clusters[environment], mint), environment };
}

builder.queryFields((t) => ({
  assets: t.field({
    type: [Asset],
    description:
      'Tokens that the page of a new plan offers, the default one first; `createPlan` accepts other mints too. Errors: `authentication_error`.',
    resolve: async (_root, _args, context) => {
      const { environment } = scopeOf(context);
      const assets = await listAssets(context.app, environment);
      return assets.map((asset) => ({ ...asset, environment }));
    },
  }),
}));
