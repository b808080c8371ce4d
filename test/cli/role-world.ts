import {
  type Address,
  createKeyPairSignerFromBytes,
  generateKeyPairSigner,
  type KeyPairSigner,
} from '@solana/kit';
import { Webhook } from 'standardwebhooks';
import { expect, vi } from 'vitest';
import { airdropLamports } from '../../bin/airdrop.ts';
import { newKeyPairBytes } from '../../bin/key-pair.ts';
import { localCluster } from '../../bin/local-cluster.ts';
import { signAndSend } from '../../bin/sign-and-send.ts';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { startLocalnet } from '../../localnet/localnet.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { DuesProcess, runDues } from '../../tools/dues-process.ts';
import { startReceiver } from '../../tools/webhook-receiver.ts';
import { callRpc } from '../support/json-rpc.ts';
import { SOON } from '../support/soon.ts';

export const HOUR = 3_600;
export const PRICE_UNITS = 2_500_000n;

/** A merchant with its server, and a network. The roles of dues are separate processes. */
export type RoleWorld = Awaited<ReturnType<typeof startRoleWorld>>;

export async function startRoleWorld(stores: {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  /** The port of the API (default: a free one). */
  readonly port?: number;
}) {
  const localnet = await startLocalnet({ slotMs: 50 });
  const receiver = await startReceiver();
  const collectorKey = await newKeyPairBytes();
  const chain = await createChain('TEST', localCluster(localnet, collectorKey));
  const merchantWallet = await generateKeyPairSigner();
  const { address: collector } = await createKeyPairSignerFromBytes(collectorKey);
  await Promise.all(
    [collector, merchantWallet.address].map((wallet) => airdropLamports(localnet.network, wallet)),
  );
  const env: Readonly<Record<string, string | undefined>> = {
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    SECRET_KEY: Buffer.alloc(32, 3).toString('base64'),
    PORT: String(stores.port ?? 0),
    CLOCK: 'chain',
    WEBHOOK_HOSTS_ALLOWED: '127.0.0.1',
    TEST_RPC_URL: localnet.rpcUrl,
    TEST_YELLOWSTONE_URL: localnet.geyserUrl,
    TEST_COLLECTOR_KEY: JSON.stringify([...collectorKey]),
  };
  const processes: DuesProcess[] = [];

  async function callNetwork<T>(method: string, params: unknown[]): Promise<T> {
    const { result, error } = await callRpc<T>(localnet.rpcUrl, method, params);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result as T;
  }

  return {
    env,
    merchantWallet,
    /** Starts a role. `databaseUrl` replaces the URL of the database. */
    async start(role: string, databaseUrl = env.DATABASE_URL): Promise<DuesProcess> {
      const started = new DuesProcess([role], { ...env, DATABASE_URL: databaseUrl });
      processes.push(started);
      await started.printed(/"msg":"started"/);
      return started;
    },
    /** Creates an API key of the merchant with the command. */
    async createKey(): Promise<string> {
      const created = await runDues(['keys', 'create', '--wallet', merchantWallet.address], env);
      expect(created.stderr).toContain(merchantWallet.address);
      expect(created.stdout).toMatch(/^sk_test_\S+\n$/);
      return created.stdout.trim();
    },
    connectMerchant: (api: DuesProcess, apiKey: string) =>
      connectMerchant(chain, merchantWallet, api, apiKey),
    receiverUrl: receiver.url,
    async newCustomer(): Promise<KeyPairSigner> {
      const customer = await generateKeyPairSigner();
      await airdropLamports(localnet.network, customer.address);
      await callNetwork('surfnet_setTokenAccount', [customer.address, USDC_MINT, { amount: '1000000000' }]);
      return customer;
    },
    async travel(seconds: number): Promise<void> {
      const absoluteTimestamp = Math.ceil(localnet.network.clock.nowMs() + seconds * 1000);
      await callNetwork('surfnet_timeTravel', [{ absoluteTimestamp }]);
    },
    /** Waits until the network has produced this many more blocks. */
    async blocks(count: number): Promise<void> {
      const end = (await callNetwork<number>('getSlot', [])) + count;
      await vi.waitFor(
        async () => expect(await callNetwork<number>('getSlot', [])).toBeGreaterThanOrEqual(end),
        SOON,
      );
    },
    /** The payment numbers of the received webhooks. Verifies the signature of each webhook. */
    readPaymentNumbers(secret: string, subscriptionId: string): number[] {
      // Webhooks are delivered at least once: the same event may arrive twice, with the same id.
      const numbers = new Map<string, number>();
      for (const { headers, body } of receiver.received) {
        const { id, event, data } = new Webhook(secret).verify(
          body,
          headers as Record<string, string>,
        ) as PaymentWebhook;
        expect(headers['webhook-id']).toBe(id);
        const isPayment =
          event === 'subscription.payment_succeeded' && data.subscriptionId === subscriptionId;
        if (isPayment) numbers.set(id, data.paymentNumber);
      }
      return [...numbers.values()];
    },
    async tokensOf(wallet: Address): Promise<bigint> {
      const { value } = await callNetwork<{
        value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[];
      }>('getTokenAccountsByOwner', [
        wallet,
        { mint: USDC_MINT },
        { encoding: 'jsonParsed', commitment: 'confirmed' },
      ]);
      return BigInt(value[0]?.account.data.parsed.info.tokenAmount.amount ?? 0);
    },
    async close(): Promise<void> {
      await Promise.all(processes.map((process) => process.ended('SIGKILL')));
      await receiver.close();
      await localnet.close();
    },
  };
}

interface PaymentWebhook {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly subscriptionId: string; readonly paymentNumber: number };
}

/** The calls of a merchant's backend and of its customer's app. */
async function connectMerchant(
  chain: Chain,
  merchantWallet: KeyPairSigner,
  api: DuesProcess,
  apiKey: string,
) {
  const [, port] = await api.printed(/"port":(\d+)/);
  const url = `http://127.0.0.1:${port}`;
  const post = async <T>(path: string, body: object): Promise<T> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer as T;
  };
  const graphql = async <T>(query: string, variables: object = {}): Promise<T> => {
    const { data, errors } = await post<{ data: T; errors?: unknown }>('/graphql', { query, variables });
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  return {
    url,
    async createEndpoint(hook: string): Promise<string> {
      const { createWebhookEndpoint } = await graphql<{ createWebhookEndpoint: { secret: string } }>(
        'mutation ($url: String!) { createWebhookEndpoint(url: $url) { secret } }',
        { url: hook },
      );
      return createWebhookEndpoint.secret;
    },
    async publishPlan(): Promise<void> {
      const { createPlan } = await graphql<{ createPlan: { transaction: string } }>(PUBLISH);
      await signAndSend(chain, merchantWallet, createPlan.transaction);
      await vi.waitFor(async () => {
        const { plan } = await graphql<{ plan: { status: string } }>('{ plan(planId: "hourly") { status } }');
        expect(plan.status).toBe('ACTIVE');
      }, SOON);
    },
    async checkOut(customer: KeyPairSigner): Promise<string> {
      const { sessionId } = await post<{ sessionId: string }>('/checkout/create', {
        planId: 'hourly',
        customerEmail: 'customer@example.com',
      });
      const userWallet = customer.address;
      const path = `/api/checkout/${sessionId}`;
      const { subscriptionPda, transactions } = await post<{
        subscriptionPda: string;
        transactions: string[];
      }>(`${path}/transaction`, { userWallet });
      const signature = await signAndSend(chain, customer, transactions[0] ?? '');
      await post(`${path}/complete`, { subscriptionPda, userWallet, signature });
      return subscriptionPda;
    },
    async paymentCount(id: string): Promise<number> {
      const { subscription } = await graphql<{ subscription: { paymentCount: number } }>(
        'query ($id: ID!) { subscription(id: $id) { paymentCount } }',
        { id },
      );
      return subscription.paymentCount;
    },
  };
}

const PUBLISH = `mutation {
  createPlan(input: { planId: "hourly", name: "Hourly", amount: "${PRICE_UNITS}", interval: ${HOUR} }) {
    transaction
  }
}`;
