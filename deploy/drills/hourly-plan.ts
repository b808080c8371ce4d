import { setTimeout as wait } from 'node:timers/promises';
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { Connection, PublicKey } from '@solana/web3.js';
import { StoryNetwork } from '../../demo/story-network.ts';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { TOKEN_PROGRAM } from '../../localnet/token.ts';
import { createApp } from '../../src/app.ts';
import { tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { configFromEnv } from '../../src/config.ts';
import { readTransfersTo } from '../../tools/chain-transfers.ts';
import { CustomerApp } from '../../tools/world/customer-app.ts';
import { Merchant } from '../../tools/world/merchant.ts';
import type { ComposeWorld } from './compose-world.ts';

const HOUR = 3_600;
const PLAN_ID = 'hourly';
const PRICE = 2_500_000n;
const CUSTOMERS = 20;
const PAID_WITHIN_MS = 180_000;

/** A merchant with a plan of an hour and twenty customers. */
export class HourlyPlan {
  readonly id = PLAN_ID;
  readonly customers: readonly CustomerApp[];
  /** An API key of the merchant. */
  readonly key: string;
  readonly network: StoryNetwork;
  readonly #wallet: KeyPairSigner;
  readonly #chain: Chain;

  private constructor(
    network: StoryNetwork,
    merchant: { readonly key: string; readonly wallet: KeyPairSigner; readonly chain: Chain },
    customers: readonly CustomerApp[],
  ) {
    this.network = network;
    ({ key: this.key, wallet: this.#wallet, chain: this.#chain } = merchant);
    this.customers = customers;
  }

  /** Publishes the plan; every customer subscribes and makes the first payment. */
  static async sell(closing: AsyncDisposableStack, world: ComposeWorld): Promise<HourlyPlan> {
    const network = new StoryNetwork(world.network);
    const app = await createApp(configFromEnv({ ...world.variablesOf('worker'), LOG_LEVEL: 'error' }));
    closing.defer(() => app.close());
    const wallet = await generateKeyPairSigner();
    await network.fund(wallet.address);
    const merchant = {
      key: await createKey(world, wallet.address),
      wallet,
      chain: app.ctx.chain.TEST as Chain,
    };
    const connection = new Connection(network.rpcUrl, {
      commitment: 'confirmed',
      wsEndpoint: network.webSocketUrl,
    });
    const customers = Array.from({ length: CUSTOMERS }, () => new CustomerApp(world.apiUrl, connection));
    const plan = new HourlyPlan(network, merchant, customers);
    const backend = plan.backendAt(world.apiUrl);
    closing.defer(() => backend.close());
    await backend.publishPlan({ planId: PLAN_ID, name: 'Hourly', amount: PRICE, intervalSeconds: HOUR });
    for (const [index, customer] of customers.entries()) {
      await network.setTokens(customer.address, 1_000_000_000n);
      await network.fund(customer.address);
      await customer.approve(await backend.openCheckout(PLAN_ID, `customer${index}@example.com`));
      await customer.complete().catch((error: Error) => {
        throw new Error(`${error.message}\n${world.errors()}`);
      });
    }
    await plan.untilPaid(backend, 1);
    return plan;
  }

  /** The merchant's backend, which uses the API at this URL. */
  backendAt(apiUrl: string): Merchant {
    return new Merchant(apiUrl, this.key, this.#wallet, this.#chain);
  }

  /** Moves the time by one period. */
  async travel(): Promise<void> {
    await this.network.travel(HOUR);
  }

  /** Waits until every customer has made this many payments. Requests may fail meanwhile. */
  async untilPaid(backend: Merchant, payments: number): Promise<void> {
    const deadline = performance.now() + PAID_WITHIN_MS;
    for (;;) {
      const subscriptions = await backend.subscriptions().catch(() => []);
      const paid = subscriptions.filter(({ paymentCount }) => paymentCount >= payments);
      if (paid.length === CUSTOMERS) return;
      if (performance.now() > deadline)
        throw new Error(`${paid.length} of ${CUSTOMERS} customers paid ${payments} times`);
      await wait(200);
    }
  }

  /** How often the chain charged each customer. */
  async readCharges(): Promise<number[]> {
    const receiver = await tokenAccountAddress(this.#wallet.address, USDC_MINT, TOKEN_PROGRAM);
    const transfers = await readTransfersTo(this.network.rpcUrl, receiver);
    const mint = new PublicKey(USDC_MINT);
    return this.customers.map(
      (customer) => transfers.filter(({ source }) => source === customer.tokenAccount(mint)).length,
    );
  }
}

/** Creates an API key, and the merchant of the wallet if it does not exist. */
export async function createKey(world: ComposeWorld, wallet: string): Promise<string> {
  const output = await world.run('api', ['keys', 'create', '--wallet', wallet]);
  return /sk_test_\S+/.exec(output)?.[0] ?? '';
}
