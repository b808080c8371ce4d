import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Address,
  createKeyPairSignerFromBytes,
  generateKeyPairSigner,
  type KeyPairSigner,
} from '@solana/kit';
import { newKeyPairBytes } from '../bin/key-pair.ts';
import { localCluster } from '../bin/local-cluster.ts';
import { signAndSend } from '../bin/sign-and-send.ts';
import { startIndexer } from '../indexer/main.ts';
import { startLocalnet } from '../localnet/localnet.ts';
import { TOKEN_PROGRAM } from '../localnet/token.ts';
import { startApi } from '../src/api/server/server.ts';
import { createApp } from '../src/app.ts';
import { tokenAccountAddress } from '../src/chain/accounts/addresses.ts';
import type { Chain } from '../src/chain/chain.ts';
import type { Config } from '../src/config.ts';
import { createMerchant } from '../src/domain/merchant/create-merchant.ts';
import { updateSettings } from '../src/domain/merchant/update-settings.ts';
import { createLink } from '../src/domain/payment-link/create-link.ts';
import { createPlan } from '../src/domain/plan/create-plan.ts';
import { LocalnetClient } from '../tools/localnet-client.ts';
import { startWorker } from '../workers/main.ts';
import { startBenchDatabase } from './database.ts';

const ONE_SOL = 1_000_000_000n;
/** The price of a payment in base units. */
export const PRICE = 5_000_000n;

export type CustomerWorld = Awaited<ReturnType<typeof startCustomerWorld>>;
export type Seller = CustomerWorld['seller'];

/**
 * Starts all roles of dues on a local network in real time, and a merchant with a payment link in a
 * plain page.
 *
 * @param closing collects everything that must be stopped at the end
 */
export async function startCustomerWorld(
  closing: AsyncDisposableStack,
  { budget }: { readonly budget: bigint },
) {
  const database = await startBenchDatabase(closing);
  const localnet = await startLocalnet({});
  closing.defer(() => localnet.close());
  const client = new LocalnetClient(localnet.rpcUrl, 8);
  closing.defer(() => client.close());
  const isVisible = async (wallet: Address) => {
    const params = [wallet, { commitment: 'confirmed' }];
    return (await client.call<{ value: number }>('getBalance', params)).value > 0;
  };
  /** Gives a wallet SOL, and waits until its balance is confirmed. */
  const fund = async (wallet: Address, lamports: bigint) => {
    await client.call('surfnet_setAccount', [wallet, { lamports: Number(lamports) }]);
    await pollUntil(() => isVisible(wallet));
  };
  const collectorKey = await newKeyPairBytes();
  const { address: collector } = await createKeyPairSignerFromBytes(collectorKey);
  await fund(collector, 1_000n * ONE_SOL);
  const cluster = localCluster(localnet, collectorKey);
  const config: Config = {
    databaseUrl: database.url,
    redisUrl: undefined,
    secretKey: Uint8Array.from(randomBytes(32)),
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'https://dues.example',
    logLevel: 'error',
    clock: 'chain',
    webhookHostsAllowed: [],
    // Trusted, so that requests can set the network address of each stranger.
    trustedProxies: ['127.0.0.1'],
    clusters: {
      TEST: {
        ...cluster,
        publicRequestsPerSecond: 100_000,
        maxSponsoredPerDay: budget,
        maxSponsoredPerMerchant: budget,
      },
    },
  };
  const app = await createApp(config);
  closing.defer(() => app.close());
  const { ctx } = app;
  const indexer = await startIndexer(ctx);
  closing.defer(() => indexer.close());
  const workers = await startWorker(ctx);
  closing.defer(() => workers.close());
  const api = await startApi(ctx);
  closing.defer(() => api.close());

  const seller = await newSeller();
  const settings = { sponsorsCustomers: true, sponsoredLamportsPerDay: 10n * ONE_SOL };
  await updateSettings(ctx, seller.scope, settings);
  const shop = await servePage(closing, {
    script: `${api.url}/embed.js`,
    link: `${api.url}/pay/${seller.link.id}`,
  });

  return {
    ctx,
    api,
    seller,
    newSeller,
    /** The URL of the merchant's page with the link. */
    shop,
    rpcUrl: localnet.rpcUrl,
    mint: cluster.defaultMint,
    /** Moves the time of the network, which all roles follow. */
    travel: (seconds: number) =>
      client.call('surfnet_timeTravel', [{ absoluteTimestamp: ctx.clock.now().getTime() + seconds * 1_000 }]),
    /** Creates a wallet with SOL and with tokens for 20 payments. */
    async newWallet(lamports: bigint): Promise<KeyPairSigner> {
      const customer = await generateKeyPairSigner();
      await give(customer.address, lamports);
      return customer;
    },
    give,
  };

  /** Gives a wallet SOL and tokens. */
  async function give(owner: Address, lamports: bigint, tokens = 20n * PRICE): Promise<void> {
    if (lamports > 0n) await fund(owner, lamports);
    const amount = { amount: String(tokens) };
    await client.call('surfnet_setTokenAccount', [owner, cluster.defaultMint, amount]);
    const account = await tokenAccountAddress(owner, cluster.defaultMint, TOKEN_PROGRAM);
    await pollUntil(() => isVisible(account));
  }

  /** Creates a merchant with a published plan and a payment link. */
  async function newSeller() {
    const wallet = await generateKeyPairSigner();
    await fund(wallet.address, 100n * ONE_SOL);
    const { merchant } = await createMerchant(ctx, { companyName: 'Acme', walletAddress: wallet.address });
    const scope = { merchantId: merchant.id, environment: 'TEST' } as const;
    const terms = { planId: 'pro', name: 'Pro', amount: PRICE, intervalSeconds: 86_400 };
    const { plan, transaction } = await createPlan(ctx, scope, terms);
    await signAndSend(ctx.chain.TEST as Chain, wallet, transaction);
    await pollUntil(
      async () => (await ctx.db.plan.findUniqueOrThrow({ where: { id: plan.id } })).status === 'ACTIVE',
    );
    return { scope, plan, link: await createLink(ctx, scope, { planId: plan.planId }) };
  }
}

/** Serves the merchant's page: plain HTML with a strict content security policy, and no backend. */
async function servePage(
  closing: AsyncDisposableStack,
  { script, link }: { readonly script: string; readonly link: string },
): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.setHeader('content-security-policy', `default-src 'none'; script-src ${new URL(script).origin}`);
    response.end(
      `<!doctype html><title>Shop</title><script src="${script}" async></script><a class="dues-button" href="${link}">Subscribe</a>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.defer(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Checks the condition every 50 ms until it holds. */
export async function pollUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}
