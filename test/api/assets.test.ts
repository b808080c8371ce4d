import { address, generateKeyPairSigner } from '@solana/kit';
import { expect, it } from 'vitest';
import { TOKEN_PROGRAM } from '../../localnet/token.ts';
import { type Api, startApi } from '../../src/api/server/server.ts';
import type { ClusterConfig } from '../../src/config/cluster-config.ts';
import { callRpc } from '../support/json-rpc.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import {
  ASSETS,
  CLUSTER,
  MRR_ASSETS,
  PLAN_ASSET,
  PLAN_ASSETS,
  SESSION_ASSET,
} from './dashboard-documents.ts';
import { type ApiWorld, graphqlError, startApiWorld } from './world.ts';

const USDC = { symbol: 'USDC', name: 'USD Coin', decimals: 6, logoUrl: null, isDefault: true };

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();

/** A token that is not in any list. */
const newMint = (decimals: number) => world.newMint({ decimals });

/** Calls an API with other cluster settings, on the same database and network. */
async function withCluster<T>(
  settings: Partial<ClusterConfig>,
  work: (otherApi: Pick<ApiWorld, 'query'>) => Promise<T>,
): Promise<T> {
  const { TEST } = world.ctx.config.clusters;
  if (!TEST) throw new Error('No cluster');
  const cluster = { ...TEST, ...settings };
  const config = { ...world.ctx.config, clusters: { TEST: cluster } };
  const api: Api = await startApi({
    ...world.ctx,
    config,
    chain: { TEST: { ...world.chain, config: cluster } },
  });
  try {
    return await work({ query: world.queryAt(api.url) });
  } finally {
    await api.close();
  }
}

it('a plan names the token of its price', async () => {
  const plan = await world.publishPlan(merchant);
  const response = await world.query(merchant.testKey, PLAN_ASSET, { planId: plan.planId });
  expect(response.plan?.asset).toEqual({ mint: plan.mint, ...USDC });
});

it('an unknown token has decimals, read once, and no name', async () => {
  const mint = await newMint(9);
  const other = await newMint(0);
  const { planId } = await world.publishPlan(merchant, { planId: 'bonk', mint });
  await world.publishPlan(merchant, { planId: 'whole', mint: other });
  const unknown = { mint, symbol: null, name: null, decimals: 9, logoUrl: null, isDefault: false };
  expect((await world.query(merchant.testKey, PLAN_ASSET, { planId })).plan?.asset).toEqual(unknown);

  const all = await world.query(merchant.testKey, PLAN_ASSETS, {});
  const decimals = Object.fromEntries(
    all.plans.edges.map(({ node }) => [node.planId, node.asset.decimals] as const),
  );
  expect(decimals).toMatchObject({ bonk: 9, whole: 0 });

  // After the mint is closed, its decimals are still known.
  world.writeAccount(mint, { lamports: 1n, owner: TOKEN_PROGRAM });
  expect((await world.query(merchant.testKey, PLAN_ASSET, { planId })).plan?.asset).toEqual(unknown);
});

it('a customer reads the token of a checkout without a key', async () => {
  const plan = await world.publishPlan(merchant, { planId: 'open', mint: await newMint(2) });
  const id = await world.openSession(merchant, plan);
  const response = await world.query(undefined, SESSION_ASSET, { id });
  expect(response.checkoutSession?.plan.asset).toEqual({ symbol: null, decimals: 2 });
});

it('amounts of the metrics name their token', async () => {
  const seller = await world.newKeyedMerchant();
  const plan = await world.publishPlan(seller);
  await world.subscribe(seller, plan, await world.newWallet());
  const day = world.ctx.clock.now().toISOString().slice(0, 10);
  const { metrics } = await world.query(seller.testKey, MRR_ASSETS, { day });
  expect(metrics.days[0]?.mrr).toMatchObject([{ mint: plan.mint, asset: { symbol: 'USDC', decimals: 6 } }]);
});

it('pages offer the default token on a local network, and the configured ones', async () => {
  const usdc = world.chain.config.defaultMint;
  expect((await world.query(merchant.testKey, ASSETS, {})).assets).toEqual([{ mint: usdc, ...USDC }]);

  const euro = { mint: await newMint(3), symbol: 'EURX', name: 'Euro X', logoUrl: 'https://x.example/e.png' };
  const missing = { mint: (await generateKeyPairSigner()).address, symbol: 'GONE', name: 'Gone' };
  const { assets } = await withCluster({ assets: [euro, missing] }, (otherApi) =>
    otherApi.query(merchant.testKey, ASSETS, {}),
  );
  expect(assets).toEqual([
    { mint: usdc, ...USDC },
    { ...euro, decimals: 3, isDefault: false },
  ]);
});

it('the default token of another mint is called USDC too', async () => {
  const mint = await newMint(6);
  const { assets } = await withCluster({ defaultMint: mint }, (otherApi) =>
    otherApi.query(merchant.testKey, ASSETS, {}),
  );
  expect(assets).toEqual([{ mint, ...USDC }]);
});

it('on Devnet and Mainnet pages offer the usual stablecoins too', async () => {
  const genesisHash = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
  await world.db.cluster.create({ data: { environment: 'TEST', genesisHash } });
  await world.newMint({ address: address('HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr') });
  const { assets } = await world.query(merchant.testKey, ASSETS, {});
  expect(assets.map(({ symbol, decimals }) => [symbol, decimals])).toEqual([
    ['USDC', 6],
    ['EURC', 6],
  ]);
  const { cluster } = await world.query(merchant.testKey, CLUSTER, {});
  expect(cluster).toEqual({
    chain: 'solana:devnet',
    explorerUrl: 'https://explorer.solana.com/{path}?cluster=devnet',
    genesisHash,
    isLocal: false,
  });
  await world.db.cluster.deleteMany();
});

it('the cluster of a local network has an explorer that reads it, and a genesis hash', async () => {
  const { rpcUrl } = world.chain.config;
  const { result } = await callRpc(rpcUrl, 'getGenesisHash', []);
  expect(await world.query(merchant.testKey, CLUSTER, {})).toEqual({
    cluster: {
      chain: 'solana:localnet',
      explorerUrl: `https://explorer.solana.com/{path}?cluster=custom&customUrl=${encodeURIComponent(rpcUrl)}`,
      genesisHash: result,
      isLocal: true,
    },
    environments: ['TEST'],
  });
  const explorerUrl = 'https://explorer.example/{path}';
  const response = await withCluster({ explorerUrl }, (otherApi) =>
    otherApi.query(merchant.testKey, CLUSTER, {}),
  );
  expect(response.cluster.explorerUrl).toBe(explorerUrl);
});

it('an environment that is not configured has no cluster', async () => {
  expect(await graphqlError(world.query(merchant.liveKey, CLUSTER, {}))).toMatchObject({
    code: 'invalid_request',
  });
});

it('refuses to read the cluster or the tokens without a key', async () => {
  const refused = { code: 'authentication_error' };
  expect(await graphqlError(world.query(undefined, ASSETS, {}))).toMatchObject(refused);
  expect(await graphqlError(world.query(undefined, CLUSTER, {}))).toMatchObject(refused);
});
