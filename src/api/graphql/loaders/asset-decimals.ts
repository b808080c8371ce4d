import DataLoader from 'dataloader';
import { forPublic } from '../../../domain/accounts/merchant/for-public.ts';
import { assetDecimals } from '../../../domain/catalog/asset/asset-decimals.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import type { GraphqlContext } from '../context.ts';

type Loaders = Partial<Record<Environment, DataLoader<string, number | null>>>;

const loaders = new WeakMap<GraphqlContext, Loaders>();

/** Loads the decimals of a token. All tokens of one response are read together. */
export function loadDecimals(
  context: GraphqlContext,
  environment: Environment,
  mint: string,
): Promise<number | null> {
  const ofContext = loaders.get(context) ?? {};
  loaders.set(context, ofContext);
  ofContext[environment] ??= createLoader(context, environment);
  return ofContext[environment].load(mint);
}

// Nothing is cached here: `assetDecimals` keeps known decimals, which never change.
function createLoader(
  { app, caller }: GraphqlContext,
  environment: Environment,
): DataLoader<string, number | null> {
  const ctx = caller ? app : forPublic(app);
  return new DataLoader((mints) => assetDecimals(ctx, environment, mints), { cache: false });
}
