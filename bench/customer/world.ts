import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { startIndexer } from '../../indexer/main.ts';
import { TOKEN_PROGRAM } from '../../localnet/token.ts';
import { startApi } from '../../src/api/server/server.ts';
import { createApp } from '../../src/app.ts';
import { tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import { createMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { updateSettings } from '../../src/domain/accounts/merchant/update-settings.ts';
import { createPlan } from '../../src/domain/catalog/plan/create-plan.ts';
import { createLink } from '../../src/domain/checkout/payment-link/create-link.ts';
import { pollUntil } from '../../tools/poll-until.ts';
import { worldConfig } from '../../tools/world/config.ts';
import { startDatabase } from '../../tools/world/database.ts';
import { startNetwork } from '../../tools/world/network.ts';
import { startWorker } from '../../workers/main.ts';

const ONE_SOL = 1_000_000_000n;
/** The price of a payment in base units. */
export const PRICE = 5_000_000n;

export type CustomerWorld = Awaited<ReturnType<typeof startCustomerWorld>>;

/**
 * Starts all roles of dues on a local network in real time, and a merchant with a payment link in a
 * plain page.
 *
 * @param closing collects everything that must be stopped at the end
 */
export async function startCustomerWorld(closing: AsyncDisposableStack) {
  const database = await startDatabase(closing);
  const network = await startNetwork();
  closing.defer(() => network.close());
  const { client, cluster } = network;
  const config = worldConfig(database.url, {
    publicUrl: 'https://dues.example',
    clock: 'chain',
    webhookHostsAllowed: ['127.0.0.1'],
    clusters: {
      TEST: {
        ...cluster,
        maxSponsoredLamportsPerDay: ONE_SOL,
        maxSponsoredLamportsPerMerchant: ONE_SOL,
      },
    },
  });
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
  const settings = { sponsorsCustomers: true, sponsoredLamportsPerDay: ONE_SOL };
  await updateSettings(ctx, seller.scope, settings);
  const shop = await servePage(closing, {
    script: `${api.url}/embed.js`,
    link: `${api.url}/pay/${seller.link.id}`,
  });

  return {
    ctx,
    api,
    seller,
    /** The URL of the merchant's page with the link. */
    shop,
    rpcUrl: network.rpcUrl,
    mint: cluster.defaultMint,
    /** Moves the time of the network, which all roles follow. */
    travel: network.travel,
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
    if (lamports > 0n) await client.fund(owner, lamports);
    await client.setTokens(owner, tokens);
    await client.untilFunded(await tokenAccountAddress(owner, cluster.defaultMint, TOKEN_PROGRAM));
  }

  /** Creates a merchant with a published plan and a payment link. */
  async function newSeller() {
    const wallet = await network.newWallet();
    await client.untilFunded(wallet.address);
    const { merchant } = await createMerchant(ctx, { companyName: 'Acme', walletAddress: wallet.address });
    const scope = { merchantId: merchant.id, environment: 'TEST' } as const;
    const terms = { planId: 'pro', name: 'Pro', amount: PRICE, intervalSeconds: 86_400 };
    const { plan, transaction } = await createPlan(ctx, scope, terms);
    await network.sign(wallet, transaction);
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
