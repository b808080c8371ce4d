import {
  type Address,
  createKeyPairSignerFromBytes,
  generateKeyPairSigner,
  type KeyPairSigner,
} from '@solana/kit';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { airdropLamports } from '../../bin/airdrop.ts';
import { newKeyPairBytes } from '../../bin/key-pair.ts';
import { signAndSend } from '../../bin/sign-and-send.ts';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { type Localnet, startLocalnet } from '../../localnet/localnet.ts';
import { subscriptionAddress } from '../../src/chain/addresses.ts';
import { type Chain, createChain } from '../../src/chain/chain.ts';
import { emptyDatabase } from '../database/databases.ts';
import { findRedisServer, startRedis, type TestRedis } from '../jobs/redis.ts';
import { callRpc } from '../support/json-rpc.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { DuesProcess, runDues } from './dues-process.ts';

const HOUR = 3_600;

const PRICE_UNITS = 2_500_000n;
const SOON = { timeout: 30_000, interval: 100 };

const redisServer = findRedisServer();
if (!redisServer) console.warn('SKIPPED: no redis-server here; the roles meet on PostgreSQL alone');

let redis: TestRedis | undefined;
let database: TestDatabase;
let localnet: Localnet;
let chain: Chain;
let receiver: Receiver;
let merchantWallet: KeyPairSigner;
let env: Record<string, string | undefined>;
const processes: DuesProcess[] = [];

beforeAll(async () => {
  redis = redisServer ? await startRedis(redisServer) : undefined;
  database = await emptyDatabase(inject('templateDatabaseUrl'));
  localnet = await startLocalnet({ slotMs: 50 });
  receiver = await startReceiver();
  const collectorKey = await newKeyPairBytes();
  chain = await createChain('TEST', {
    rpcUrl: localnet.rpcUrl,
    yellowstoneUrl: localnet.geyserUrl,
    yellowstoneToken: undefined,
    defaultMint: USDC_MINT,
    collectorKey,
  });
  merchantWallet = await generateKeyPairSigner();
  const { address: collector } = await createKeyPairSignerFromBytes(collectorKey);
  await Promise.all(
    [collector, merchantWallet.address].map((wallet) => airdropLamports(localnet.network, wallet)),
  );
  env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis?.url,
    SECRET_KEY: Buffer.alloc(32, 3).toString('base64'),
    PORT: '0',
    CLOCK: 'chain',
    WEBHOOK_HOSTS_ALLOWED: '127.0.0.1',
    TEST_RPC_URL: localnet.rpcUrl,
    TEST_YELLOWSTONE_URL: localnet.geyserUrl,
    TEST_COLLECTOR_KEY: JSON.stringify([...collectorKey]),
  };
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.ended('SIGKILL')));
  await receiver.close();
  await localnet.close();
  await database.drop();
  await redis?.stop();
});

async function start(role: string): Promise<DuesProcess> {
  const started = new DuesProcess([role], env);
  processes.push(started);
  await started.printed(/"msg":"started"/);
  return started;
}

describe(`the roles as processes of their own, ${redisServer ? 'on Redis' : 'on PostgreSQL alone'}`, () => {
  it('publish, check out, collect and tell, also when a worker is killed, and stop when asked', async () => {
    const migrated = await runDues(['migrate'], env);
    expect(migrated.stderr).toBe('');
    expect(migrated.stdout).toMatch(/^applied \d+/);
    const again = await runDues(['migrate'], env);
    expect(again.stdout).toBe('nothing to apply\n');

    const created = await runDues(['keys', 'create', '--wallet', merchantWallet.address], env);
    expect(created.stderr).toBe('');
    expect(created.stdout).toMatch(/^sk_test_\S+\n$/);
    const apiKey = created.stdout.trim();

    const [api, indexer, worker, doomed] = await Promise.all(
      ['api', 'indexer', 'worker', 'worker'].map((role) => start(role)),
    );
    const [, port] = (await api?.printed(/"port":(\d+)/)) ?? [];
    const merchant = merchantAt(`http://127.0.0.1:${port}`, apiKey);
    const secret = await merchant.listenAt(receiver.url);
    const plan = await merchant.publishPlan();
    const customer = await generateKeyPairSigner();
    await airdropLamports(localnet.network, customer.address);
    await cheat('surfnet_setTokenAccount', [customer.address, USDC_MINT, { amount: '1000000000' }]);
    const subscription = await merchant.checkOut(customer, plan);

    const payments = () => paymentsTold(secret, subscription);
    await vi.waitFor(() => expect(payments()).toEqual([1]), SOON);
    expect(doomed?.isOver).toBe(false);
    await doomed?.ended('SIGKILL');
    for (const number of [2, 3]) {
      const { network } = localnet;
      await cheat('surfnet_timeTravel', [
        { absoluteTimestamp: Math.ceil(network.clock.nowMs() + HOUR * 1000) },
      ]);
      await vi.waitFor(() => expect(payments().at(-1)).toBe(number), SOON);
    }
    expect(payments()).toEqual([1, 2, 3]);
    expect(await tokensOf(merchantWallet.address)).toBe(3n * PRICE_UNITS);
    await vi.waitFor(async () => expect(await merchant.paymentCount(subscription)).toBe(3), SOON);

    for (const role of [api, indexer, worker]) {
      const ended = await role?.ended('SIGTERM');
      expect(ended?.code).toBe(0);
      expect(ended?.tookMs).toBeLessThan(10_000);
    }
  }, 150_000);
});

/** What a merchant's backend does, and its customer's app with it. */
function merchantAt(url: string, apiKey: string) {
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
    async listenAt(hook: string): Promise<string> {
      const { createWebhookEndpoint } = await graphql<{ createWebhookEndpoint: { secret: string } }>(
        'mutation ($url: String!) { createWebhookEndpoint(url: $url) { secret } }',
        { url: hook },
      );
      return createWebhookEndpoint.secret;
    },
    async publishPlan(): Promise<Address> {
      const { createPlan } = await graphql<{ createPlan: { transaction: string } }>(PUBLISH);
      await signAndSend(chain, merchantWallet, createPlan.transaction);
      return vi.waitFor(async () => {
        const { plan } = await graphql<{ plan: { status: string; address: Address } }>(
          '{ plan(planId: "hourly") { status address } }',
        );
        expect(plan.status).toBe('ACTIVE');
        return plan.address;
      }, SOON);
    },
    async checkOut(customer: KeyPairSigner, plan: Address): Promise<string> {
      const { sessionId } = await post<{ sessionId: string }>('/checkout/create', {
        planId: 'hourly',
        customerEmail: 'customer@example.com',
      });
      const { transactions } = await post<{ transactions: string[] }>(
        `/api/checkout/${sessionId}/transaction`,
        { userWallet: customer.address },
      );
      const signature = await signAndSend(chain, customer, transactions[0] ?? '');
      const subscriptionPda = await subscriptionAddress(plan, customer.address);
      await post(`/api/checkout/${sessionId}/complete`, {
        subscriptionPda,
        userWallet: customer.address,
        signature,
      });
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

/** The numbers of the payments that the merchant's server was told of, each signature verified. */
function paymentsTold(secret: string, subscriptionId: string): number[] {
  const numbers = receiver.received.flatMap(({ headers, body }) => {
    const { event, data } = new Webhook(secret).verify(body, headers as Record<string, string>) as {
      event: string;
      data: { subscriptionId: string; paymentNumber: number };
    };
    const isPayment = event === 'subscription.payment_succeeded' && data.subscriptionId === subscriptionId;
    return isPayment ? [data.paymentNumber] : [];
  });
  // At least once is what webhooks promise: the killed worker may have told it already.
  return [...new Set(numbers)];
}

async function tokensOf(wallet: Address): Promise<bigint> {
  const { value } = await cheat<{
    value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[];
  }>('getTokenAccountsByOwner', [
    wallet,
    { mint: USDC_MINT },
    { encoding: 'jsonParsed', commitment: 'confirmed' },
  ]);
  return BigInt(value[0]?.account.data.parsed.info.tokenAmount.amount ?? 0);
}

async function cheat<T>(method: string, params: unknown[]): Promise<T> {
  const { result, error } = await callRpc<T>(localnet.rpcUrl, method, params);
  if (error) throw new Error(`${method}: ${error.message}`);
  return result as T;
}
