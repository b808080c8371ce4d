import { type Address, generateKeyPairSigner, type Instruction, type KeyPairSigner } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { pino } from 'pino';
import { inject, vi } from 'vitest';
import { type RunningIndexer, startIndexer } from '../../indexer/main.ts';
import type { FaultSettings } from '../../localnet/faults.ts';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { startApi } from '../../src/api/server/server.ts';
import { type AppContext, createApp } from '../../src/app.ts';
import { subscriptionAddress } from '../../src/chain/accounts/addresses.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { cancelTransaction, resumeTransaction } from '../../src/chain/transactions/cancel-transactions.ts';
import type { FollowingClock } from '../../src/clock.ts';
import type { Config } from '../../src/config.ts';
import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import { createMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createPlan } from '../../src/domain/catalog/plan/create-plan.ts';
import type { Scope } from '../../src/domain/kernel/access/scope.ts';
import { createEndpoint } from '../../src/domain/messages/webhook/create-endpoint.ts';
import type { Payment } from '../../src/generated/prisma/client.ts';
import type { Workers } from '../../src/jobs/worker.ts';
import { counterRegistry } from '../../src/observability/metrics/counters.ts';
import { worldConfig } from '../../tools/world/config.ts';
import { findUnfinishedWork } from '../../tools/world/find-unfinished-work.ts';
import { Merchant } from '../../tools/world/merchant.ts';
import { startNetwork } from '../../tools/world/network.ts';
import { tellLogged } from '../../tools/world/story.ts';
import { type Receiver, startReceiver } from '../../tools/world/webhook-receiver.ts';
import { startWorker } from '../../workers/main.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { SOON } from '../support/soon.ts';

export const HOUR = 3_600;
export const DAY = 24 * HOUR;
export const PRICE = 5_000_000n;
/** A period that is over is decided when the position has passed its end. */
const STORED_OFTEN = { housekeepingMs: 100 };
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;
const USDC: Asset = { mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM_ADDRESS };

/** A webhook that the merchant's server received. */
export interface Webhook {
  readonly id: string;
  readonly event: string;
  readonly sequence: number;
  readonly data: { readonly subscriptionId: string; readonly [field: string]: unknown };
}

/** All processes of dues on a local network, with one merchant, its server and its customers. */
export interface World {
  readonly ctx: AppContext;
  readonly chain: Chain;
  readonly scope: Scope;
  readonly receiver: Receiver;
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly merchantWallet: KeyPairSigner;
  /** The merchant's backend. */
  readonly backend: Merchant;
  /** The warnings and errors that dues logged. */
  readonly logged: Logged[];
  /** Publishes a plan of PRICE, which is also the limit by default, and returns its id. The default asset is USDC. */
  plan(options?: { interval?: number; trial?: number; asset?: Asset; limit?: bigint }): Promise<string>;
  /** Creates a Token-2022 mint. `extensions` are the bytes after its plain fields. */
  newAsset(extensions?: Uint8Array): Promise<Asset>;
  /** Creates a customer with money for `payments` payments, who completes the checkout. */
  subscriber(planId: string, options?: CheckoutOptions): Promise<Subscriber>;
  /** Subscribes a customer to a new plan, waits until nothing is due, and clears `logged`. */
  renewing(): Promise<Subscriber>;
  /** Creates a customer with a checkout session, who has not signed yet. */
  checkout(planId: string, options?: CheckoutOptions): Promise<Checkout>;
  /** Signs the instructions with the wallet and their other signers; waits until confirmed. */
  land(wallet: KeyPairSigner, instructions: readonly Instruction[]): Promise<void>;
  /** Signs and sends a transaction that dues built for the wallet; waits until confirmed. */
  sign(wallet: KeyPairSigner, transaction: string): Promise<string>;
  /** Sets a wallet's lamports. */
  fund(wallet: Address, lamports?: bigint): void;
  setFaults(settings: FaultSettings): void;
  startWorkers(): Promise<void>;
  stopWorkers(): Promise<void>;
  startIndexer(): Promise<void>;
  stopIndexer(): Promise<void>;
  /** Sends a GraphQL request with the merchant's API key. */
  graphql<T>(query: string, variables?: object): Promise<T>;
  rpc<T>(method: string, params: unknown[]): Promise<T>;
  /** Moves the chain's time. */
  jump(seconds: number): Promise<void>;
  /** Moves the chain's time, and waits until nothing more happens. */
  travel(seconds: number): Promise<void>;
  /** Waits until nothing is due or in flight, and all events are delivered. */
  quiet(): Promise<void>;
  /** Waits until the network has made that many more blocks. By default it makes 50 per second. */
  blocks(count: number): Promise<void>;
  /**
   * Waits until the indexer has applied everything that is confirmed now. While it settles
   * payments it locks their subscriptions, and a claim skips locked ones: payments that are due
   * together would be collected separately.
   */
  mirrored(): Promise<void>;
  /** Waits until no payment of the subscription is due. */
  decided(subscriptionId: string): Promise<void>;
  /** Waits until the condition holds. `label` names it in the error. */
  until(label: string, condition: () => boolean | Promise<boolean>): Promise<void>;
  webhooks(subscriptionId: string): Webhook[];
  /** The event types of the webhooks about a subscription, without `subscription.`. */
  receivedEvents(subscriptionId: string): string[];
  /** The payments of all subscriptions at an address, oldest first. */
  books(subscriptionId: string): Promise<Payment[]>;
  tokensOf(wallet: Address, asset?: Asset): Promise<bigint>;
  close(): Promise<void>;
}

/** The token in which a plan is paid. */
export interface Asset {
  readonly mint: Address;
  readonly tokenProgram: Address;
}

export interface Subscriber {
  readonly wallet: KeyPairSigner;
  /** The subscription's address. */
  readonly id: string;
  /** The plan's address. */
  readonly plan: Address;
  setBalance(amount: bigint): Promise<void>;
  cancel(): Promise<void>;
  resume(): Promise<void>;
  /** The status and the failure count that GraphQL returns. */
  state(): Promise<{ state: string; failureCount: number }>;
}

/** A customer who has not completed the checkout. */
export interface Checkout {
  readonly subscriber: Subscriber;
  readonly sessionId: string;
  /** Requests the transaction, signs and sends it, and waits until it is confirmed. */
  approve(): Promise<string>;
  complete(signature: string): Promise<void>;
}

export interface CheckoutOptions {
  /** The number of payments for which the wallet gets tokens (default 100). */
  readonly payments?: number;
  /** A wallet that exists, whose balance is not changed (default: a new wallet). */
  readonly wallet?: KeyPairSigner;
  /** A checkout session that exists (default: a new one). */
  readonly sessionId?: string;
}

export interface Logged {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface WorldOptions {
  /** Whether a worker runs (default true). Otherwise only the jobs run that the test calls. */
  readonly workers?: boolean;
  /** The length of a slot (default 20). */
  readonly slotMs?: number;
  /** The transactions that the node keeps (default: more than any test makes). */
  readonly maxTransactions?: number;
  /** A database with the schema that the caller removes (default: a new one). */
  readonly databaseUrl?: string;
  /** The store of the jobs (default: PostgreSQL). */
  readonly redisUrl?: string | undefined;
  readonly mail?: Config['mail'];
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  // The worlds of earlier files in this process have counted too.
  counterRegistry.resetMetrics();
  const database = options.databaseUrl
    ? { url: options.databaseUrl, drop: async () => undefined }
    : await cloneDatabase(inject('templateDatabaseUrl'));
  // The official program, if its file is there. A test compares our own program with it.
  const program = process.env.OFFICIAL_PROGRAM;
  const localNetwork = await startNetwork({
    slotMs: options.slotMs ?? 20,
    ...(options.maxTransactions !== undefined && { maxTransactions: options.maxTransactions }),
    ...(program && { program }),
  });
  const { network, client, fund } = localNetwork;
  const config = worldConfig(database.url, {
    redisUrl: options.redisUrl,
    publicUrl: 'http://127.0.0.1:3000',
    logLevel: (process.env.LOG_LEVEL as Config['logLevel']) ?? 'silent',
    clock: 'chain',
    webhookHostsAllowed: ['127.0.0.1'],
    ...(options.mail && { mail: options.mail }),
    clusters: { TEST: localNetwork.cluster },
  });
  const app = await createApp(config);
  const logged: Logged[] = [];
  const ctx: AppContext = process.env.LOG_LEVEL ? app.ctx : { ...app.ctx, log: keepLog(logged) };
  const chain = ctx.chain.TEST as Chain;
  let indexer: RunningIndexer | undefined = await startIndexer(ctx, undefined, STORED_OFTEN);
  let workers: Workers | undefined = options.workers === false ? undefined : await startWorker(ctx);
  const api = await startApi(ctx);
  const receiver = await startReceiver();

  const merchantWallet = await localNetwork.newWallet();
  const { merchant } = await createMerchant(ctx, {
    companyName: 'Acme',
    walletAddress: merchantWallet.address,
  });
  const scope: Scope = { merchantId: merchant.id, environment: 'TEST' };
  const { apiKey } = await createApiKey(ctx, scope, { name: 'scenario' });
  await createEndpoint(ctx, { ...scope, url: receiver.url });

  const request = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${api.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer as T;
  };
  const rpc = <T>(method: string, params: unknown[]) => client.call<T>(method, params);
  const assets = new Map<string, Asset>();

  const world: World = {
    ctx,
    chain,
    scope,
    receiver,
    apiUrl: api.url,
    apiKey,
    merchantWallet,
    backend: new Merchant(api.url, apiKey, merchantWallet, chain),
    logged,
    rpc,
    async plan({ interval = DAY, trial = 0, asset = USDC, limit } = {}) {
      const planId = `plan-${assets.size + 1}`;
      assets.set(planId, asset);
      const { plan, transaction } = await createPlan(ctx, scope, {
        planId,
        name: planId,
        amount: PRICE,
        maxAmount: limit,
        intervalSeconds: interval,
        trialPeriodSeconds: trial,
        mint: asset.mint,
      });
      await client.untilFunded(merchantWallet.address);
      await localNetwork.sign(merchantWallet, transaction);
      await vi.waitFor(async () => {
        const { status } = await ctx.db.plan.findUniqueOrThrow({ where: { id: plan.id } });
        if (status !== 'ACTIVE') throw new Error(`the plan is ${status}`);
      }, SOON);
      return planId;
    },
    async newAsset(extensions) {
      const mint = await localNetwork.newMint({ tokenProgram: TOKEN_2022, extensions });
      return { mint, tokenProgram: TOKEN_2022 };
    },
    async subscriber(planId, options) {
      const { subscriber, approve, complete } = await world.checkout(planId, options);
      await complete(await approve());
      return subscriber;
    },
    async renewing() {
      const customer = await world.subscriber(await world.plan());
      await world.quiet();
      logged.length = 0;
      return customer;
    },
    async checkout(planId, { payments = 100, wallet: existingWallet, sessionId: existingSessionId } = {}) {
      const wallet = existingWallet ?? (await generateKeyPairSigner());
      const { mint, tokenProgram } = assets.get(planId) ?? USDC;
      const setBalance = async (amount: bigint) => {
        const update = { amount: String(amount) };
        await rpc('surfnet_setTokenAccount', [wallet.address, mint, update, tokenProgram]);
      };
      if (!existingWallet) {
        fund(wallet.address);
        await setBalance(PRICE * BigInt(payments));
        await client.untilFunded(wallet.address);
      }
      const session = {
        planId,
        customerEmail: `${wallet.address.slice(0, 8)}@example.com`,
        metadata: { source: 'scenario' },
      };
      const sessionId =
        existingSessionId ??
        (await request<{ sessionId: string }>('POST', '/checkout/create', session)).sessionId;
      const { planAddress, id } = await addressesOf(ctx, scope, planId, wallet.address);
      const terms = { subscriber: wallet.address, plan: planAddress };
      const subscriber: Subscriber = {
        wallet,
        id,
        setBalance,
        plan: planAddress,
        cancel: async () => {
          await world.sign(wallet, await cancelTransaction(chain, terms));
        },
        resume: async () => {
          await world.sign(wallet, await resumeTransaction(chain, { ...terms, mint }));
        },
        state: async () => {
          const { subscription } = await world.graphql<{
            subscription: { status: string; failureCount: number };
          }>('query ($id: ID!) { subscription(id: $id) { status failureCount } }', { id });
          return { state: subscription.status.toLowerCase(), failureCount: subscription.failureCount };
        },
      };
      return {
        subscriber,
        sessionId,
        approve: async () => {
          const { transactions } = await request<{ transactions: string[] }>(
            'POST',
            `/api/checkout/${sessionId}/transaction`,
            { userWallet: wallet.address },
          );
          return world.sign(wallet, transactions[0] ?? '');
        },
        complete: async (signature) => {
          await request('POST', `/api/checkout/${sessionId}/complete`, {
            subscriptionPda: id,
            userWallet: wallet.address,
            signature,
          });
        },
      };
    },
    async land(wallet, instructions) {
      await localNetwork.act(wallet, ...instructions);
    },
    sign: localNetwork.sign,
    fund,
    setFaults: (settings) => network.faults.set(settings),
    async startWorkers() {
      workers ??= await startWorker(ctx);
    },
    async stopWorkers() {
      await workers?.close();
      workers = undefined;
    },
    async startIndexer() {
      indexer ??= await startIndexer(ctx, undefined, STORED_OFTEN);
    },
    async stopIndexer() {
      await indexer?.close();
      indexer = undefined;
    },
    async graphql<T>(query: string, variables = {}) {
      const { data, errors } = await request<{ data: T; errors?: unknown }>('POST', '/graphql', {
        query,
        variables,
      });
      if (errors) throw new Error(JSON.stringify(errors));
      return data;
    },
    async jump(seconds) {
      await localNetwork.travel(seconds);
      const reached = Math.floor(network.clock.nowMs() / 1000) * 1000;
      // An answer from before the jump may still arrive, and would be taken for a later one.
      await world.until('the clock has followed the jump', async () => {
        await (ctx.clock as FollowingClock).sync();
        return ctx.clock.now().getTime() >= reached;
      });
    },
    async travel(seconds) {
      await world.jump(seconds);
      await world.quiet();
    },
    async quiet() {
      await vi.waitFor(async () => {
        const now = new Date(Math.max(ctx.clock.now().getTime(), network.clock.nowMs()));
        const waiting = await findUnfinishedWork(ctx, now);
        if (waiting !== null) throw new Error(`still waiting for ${waiting}`);
      }, SOON);
    },
    blocks: (count) => client.untilBlocks(count),
    async mirrored() {
      const head = BigInt(await client.slot('confirmed'));
      await world.until('the indexer is current', async () => {
        const { slot } = await ctx.db.streamPosition.findUniqueOrThrow({ where: { environment: 'TEST' } });
        return slot >= head;
      });
    },
    decided: (subscriptionId) =>
      world.until('every period is decided', async () => {
        const payments = await world.books(subscriptionId);
        return !payments.some(({ status }) => status === 'DUE');
      }),
    async until(label, condition) {
      await vi.waitFor(async () => {
        if (!(await condition())) throw new Error(`still waiting until ${label}`);
      }, SOON);
    },
    receivedEvents: (subscriptionId) =>
      world.webhooks(subscriptionId).map(({ event }) => event.replace('subscription.', '')),
    books: (subscriptionId) =>
      ctx.db.payment.findMany({
        where: { subscription: { address: subscriptionId } },
        orderBy: [{ periodStart: 'asc' }, { ordinal: 'asc' }],
      }),
    webhooks: (subscriptionId) =>
      receiver.received
        .map(({ body }) => JSON.parse(body) as Webhook)
        .filter(({ data }) => data.subscriptionId === subscriptionId),
    tokensOf: (wallet, { mint } = USDC) => client.tokensOf(wallet, mint),
    async close() {
      await api.close();
      await workers?.close();
      await indexer?.close();
      await app.close();
      await receiver.close();
      await localNetwork.close();
      await database.drop();
    },
  };
  return world;
}

/** A logger that keeps warnings and errors, for scenarios in which dues alerts its operators. */
function keepLog(logged: Logged[]) {
  return pino(
    { level: 'warn', serializers: { err: String } },
    {
      write(line) {
        logged.push(JSON.parse(line) as Logged);
        tellLogged(line);
      },
    },
  );
}

async function addressesOf(ctx: AppContext, scope: Scope, planId: string, wallet: Address) {
  const plan = await ctx.db.plan.findFirstOrThrow({ where: { ...scope, planId } });
  const planAddress = plan.address as Address;
  return { planAddress, id: await subscriptionAddress(planAddress, wallet) };
}
