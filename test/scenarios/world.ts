import { randomBytes } from 'node:crypto';
import {
  type Address,
  createKeyPairSignerFromBytes,
  generateKeyPairSigner,
  type KeyPairSigner,
} from '@solana/kit';
import { inject, vi } from 'vitest';
import { signAndSend } from '../../bin/sign-and-send.ts';
import { startIndexer } from '../../indexer/main.ts';
import { SYSTEM_PROGRAM } from '../../localnet/accounts.ts';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { startLocalnet } from '../../localnet/localnet.ts';
import { type AppContext, createApp } from '../../src/app.ts';
import { subscriptionAddress } from '../../src/chain/addresses.ts';
import { cancelTransaction, resumeTransaction } from '../../src/chain/cancel-transactions.ts';
import type { Chain } from '../../src/chain/chain.ts';
import type { FollowingClock } from '../../src/clock.ts';
import type { Config } from '../../src/config.ts';
import { createApiKey } from '../../src/domain/merchant/create-api-key.ts';
import { createMerchant } from '../../src/domain/merchant/create-merchant.ts';
import type { Scope } from '../../src/domain/merchant/scope.ts';
import { createPlan } from '../../src/domain/plan/create-plan.ts';
import { createEndpoint } from '../../src/domain/webhook/create-endpoint.ts';
import { startApi } from '../../src/http/server.ts';
import { startWorker } from '../../workers/main.ts';
import { callRpc } from '../support/json-rpc.ts';
import { keyPairBytes } from '../support/key-pair.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

export const HOUR = 3_600;
export const DAY = 24 * HOUR;
export const PRICE = 5_000_000n;
const QUIET_WITHIN_MS = 20_000;

/** A webhook as the merchant's server got it. */
export interface Webhook {
  readonly id: string;
  readonly event: string;
  readonly sequence: number;
  readonly data: { readonly subscriptionId: string; readonly [field: string]: unknown };
}

/** One merchant, its server and its customers around the whole of dues on a local network. */
export interface World {
  readonly ctx: AppContext;
  readonly chain: Chain;
  readonly scope: Scope;
  readonly receiver: Receiver;
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly merchantWallet: KeyPairSigner;
  /** A published plan of PRICE; its id. */
  plan(options?: { interval?: number; trial?: number }): Promise<string>;
  /** A customer with so many payments' worth of USDC who went through the checkout. */
  subscriber(planId: string, options?: { payments?: number }): Promise<Subscriber>;
  rpc<T>(method: string, params: unknown[]): Promise<T>;
  /** Moves the chain's time. */
  jump(seconds: number): Promise<void>;
  /** Moves the chain's time, and waits until nothing more happens. */
  travel(seconds: number): Promise<void>;
  /** Waits until nothing is due, under way or untold. */
  quiet(): Promise<void>;
  webhooks(subscriptionId: string): Webhook[];
  tokensOf(wallet: Address): Promise<bigint>;
  close(): Promise<void>;
}

export interface Subscriber {
  readonly wallet: KeyPairSigner;
  /** The subscription's address. */
  readonly id: string;
  setBalance(amount: bigint): Promise<void>;
  cancel(): Promise<void>;
  resume(): Promise<void>;
  /** As the merchant's backend sees it. */
  state(): Promise<{ state: string; failureCount: number }>;
}

export interface WorldOptions {
  /** Whether jobs run by themselves (default), or only what the test calls. */
  readonly workers?: boolean;
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  const localnet = await startLocalnet({ slotMs: 20 });
  const collectorKey = await keyPairBytes();
  const fund = (wallet: Address) =>
    localnet.network.setAccount(wallet, {
      lamports: 1_000_000_000_000n,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      executable: false,
    });
  fund((await createKeyPairSignerFromBytes(collectorKey)).address);
  const config: Config = {
    databaseUrl: database.url,
    redisUrl: undefined,
    secretKey: Uint8Array.from(randomBytes(32)),
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://127.0.0.1:3000',
    logLevel: (process.env.LOG_LEVEL as Config['logLevel']) ?? 'silent',
    clock: 'chain',
    webhookHostsAllowed: ['127.0.0.1'],
    clusters: {
      TEST: {
        rpcUrl: localnet.rpcUrl,
        yellowstoneUrl: localnet.geyserUrl,
        yellowstoneToken: undefined,
        defaultMint: USDC_MINT,
        collectorKey,
      },
    },
  };
  const app = await createApp(config);
  const { ctx } = app;
  const chain = ctx.chain.TEST as Chain;
  const indexer = await startIndexer(ctx);
  const workers = options.workers === false ? undefined : await startWorker(ctx);
  const api = await startApi(ctx);
  const receiver = await startReceiver();

  const merchantWallet = await generateKeyPairSigner();
  fund(merchantWallet.address);
  const merchant = await createMerchant(ctx, {
    companyName: 'Acme',
    walletAddress: merchantWallet.address,
  });
  const scope: Scope = { merchantId: merchant.id, environment: 'TEST' };
  const { apiKey } = await createApiKey(ctx, scope, { name: 'scenario' });
  await createEndpoint(ctx, { ...scope, url: receiver.url });

  const rest = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${api.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer as T;
  };
  const rpc = async <T>(method: string, params: unknown[]): Promise<T> => {
    const { result, error } = await callRpc<T>(localnet.rpcUrl, method, params);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result as T;
  };
  let plans = 0;

  const world: World = {
    ctx,
    chain,
    scope,
    receiver,
    apiUrl: api.url,
    apiKey,
    merchantWallet,
    rpc,
    async plan({ interval = DAY, trial = 0 } = {}) {
      const planId = `plan-${++plans}`;
      const { plan, transaction } = await createPlan(ctx, scope, {
        planId,
        name: planId,
        amount: PRICE,
        intervalSeconds: interval,
        trialPeriodSeconds: trial,
      });
      await signAndSend(chain, merchantWallet, transaction);
      await vi.waitFor(
        async () => {
          const { status } = await ctx.db.plan.findUniqueOrThrow({ where: { id: plan.id } });
          if (status !== 'ACTIVE') throw new Error(`the plan is ${status}`);
        },
        { timeout: QUIET_WITHIN_MS },
      );
      return planId;
    },
    async subscriber(planId, { payments = 100 } = {}) {
      const wallet = await generateKeyPairSigner();
      fund(wallet.address);
      const setBalance = async (amount: bigint) => {
        await rpc('surfnet_setTokenAccount', [wallet.address, USDC_MINT, { amount: String(amount) }]);
      };
      await setBalance(PRICE * BigInt(payments));
      const { sessionId } = await rest<{ sessionId: string }>('POST', '/checkout/create', {
        planId,
        customerEmail: `${wallet.address.slice(0, 8)}@example.com`,
        metadata: { source: 'scenario' },
      });
      const { transactions } = await rest<{ transactions: string[] }>(
        'POST',
        `/api/checkout/${sessionId}/transaction`,
        { userWallet: wallet.address },
      );
      const signature = await signAndSend(chain, wallet, transactions[0] ?? '');
      const { planAddress, id } = await addressesOf(ctx, scope, planId, wallet.address);
      await rest('POST', `/api/checkout/${sessionId}/complete`, {
        subscriptionPda: id,
        userWallet: wallet.address,
        signature,
      });
      const terms = { subscriber: wallet.address, plan: planAddress };
      return {
        wallet,
        id,
        setBalance,
        cancel: async () => {
          await signAndSend(chain, wallet, await cancelTransaction(chain, terms));
        },
        resume: async () => {
          await signAndSend(chain, wallet, await resumeTransaction(chain, { ...terms, mint: USDC_MINT }));
        },
        state: async () => {
          const row = await ctx.db.subscription.findFirstOrThrow({
            where: { address: id },
            orderBy: { chainCreatedAt: 'desc' },
          });
          return { state: row.status.toLowerCase(), failureCount: row.failureCount };
        },
      };
    },
    async jump(seconds) {
      await rpc('surfnet_timeTravel', [
        { absoluteTimestamp: Math.ceil(localnet.network.clock.nowMs() + seconds * 1000) },
      ]);
      await (ctx.clock as FollowingClock).sync();
    },
    async travel(seconds) {
      await world.jump(seconds);
      await world.quiet();
    },
    async quiet() {
      await vi.waitFor(
        async () => {
          const waiting = await unfinished(ctx);
          if (waiting !== null) throw new Error(`still waiting for ${waiting}`);
        },
        { timeout: QUIET_WITHIN_MS, interval: 50 },
      );
    },
    webhooks: (subscriptionId) =>
      receiver.received
        .map(({ body }) => JSON.parse(body) as Webhook)
        .filter(({ data }) => data.subscriptionId === subscriptionId),
    async tokensOf(wallet) {
      const { value } = await rpc<{
        value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[];
      }>('getTokenAccountsByOwner', [
        wallet,
        { mint: USDC_MINT },
        { encoding: 'jsonParsed', commitment: 'confirmed' },
      ]);
      return value.reduce(
        (sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount),
        0n,
      );
    },
    async close() {
      await api.close();
      await workers?.close();
      await indexer.close();
      await app.close();
      await receiver.close();
      await localnet.close();
      await database.drop();
    },
  };
  return world;
}

async function addressesOf(ctx: AppContext, scope: Scope, planId: string, wallet: Address) {
  const plan = await ctx.db.plan.findFirstOrThrow({ where: { ...scope, planId } });
  const planAddress = plan.address as Address;
  return { planAddress, id: await subscriptionAddress(planAddress, wallet) };
}

/** What has still to happen at the chain's present time; null where all is done. */
async function unfinished({ db, clock }: AppContext): Promise<string | null> {
  const now = clock.now();
  const due = { status: { in: ['ACTIVE' as const, 'PAST_DUE' as const] }, nextAttemptAt: { lte: now } };
  if ((await db.subscription.count({ where: due })) > 0) return 'payments that are due';
  if ((await db.transferTransaction.count({ where: { status: 'SUBMITTED' } })) > 0) return 'transactions';
  if ((await db.event.count({ where: { relayedAt: null } })) > 0) return 'events to be relayed';
  const pending = { status: 'PENDING' as const, nextAttemptAt: { lte: now } };
  if ((await db.delivery.count({ where: pending })) > 0) return 'webhooks';
  return null;
}
