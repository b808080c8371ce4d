/** Merchants, plans and customers on a real database and a local network, through the use cases. */

import { type Address, address, type KeyPairSigner, type Signature } from '@solana/kit';
import {
  getCloseSubscriptionAuthorityOverlayInstructionAsync,
  getRevokeSubscriptionOverlayInstruction,
} from '@solana/subscriptions';
import { getRevokeInstruction } from '@solana-program/token';
import type { AppContext } from '../../src/app.ts';
import { decodePlan, decodeSubscription, decodeTokenAccount } from '../../src/chain/accounts/accounts.ts';
import { PROGRAM, subscriptionAddress, tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import { cancelTransaction, resumeTransaction } from '../../src/chain/transactions/cancel-transactions.ts';
import { createMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { type CreatePlanInput, createPlan } from '../../src/domain/catalog/plan/create-plan.ts';
import { getPlan } from '../../src/domain/catalog/plan/get-plan.ts';
import { observePlan } from '../../src/domain/catalog/plan/observe-plan.ts';
import { completeCheckout } from '../../src/domain/checkout/completion/complete-checkout.ts';
import { observeSubscription } from '../../src/domain/checkout/completion/observe-subscriptions.ts';
import { createCheckoutSession } from '../../src/domain/checkout/session/create-checkout-session.ts';
import type { CheckoutRequest } from '../../src/domain/checkout/session/session-request.ts';
import { transactionsToSign } from '../../src/domain/checkout/signing/transactions-to-sign.ts';
import type { Scope } from '../../src/domain/kernel/access/scope.ts';
import { BillingError } from '../../src/errors.ts';
import type { Merchant, Plan } from '../../src/generated/prisma/client.ts';
import { createLive } from '../../src/live/live.ts';
import { createLog } from '../../src/observability/log.ts';
import { worldConfig } from '../../tools/world/config.ts';
import { startNetwork } from '../../tools/world/network.ts';
import { tellLogged } from '../../tools/world/story.ts';
import { subscriptionToSign } from '../../tools/world/transactions-to-sign.ts';
import { takeDatabase } from '../support/shared-database.ts';

export const HOUR = 3_600;
export const DAY = 24 * HOUR;
export const PRICE = 5_000_000n;
export const START_BALANCE = 100_000_000n;
export const START = new Date('2026-12-01T00:00:00Z');

export interface TestMerchant {
  readonly wallet: KeyPairSigner;
  readonly merchant: Merchant;
  readonly scope: Scope;
}

export async function startWorld({ collectorLamports = 0n } = {}) {
  const database = await takeDatabase();
  const localNetwork = await startNetwork({
    slotMs: 0,
    startMs: START.getTime(),
    collectorLamports,
    cluster: { yellowstoneUrl: undefined },
  });
  const { network, chain, cheat, sign, act } = localNetwork;
  // The clock is paused until a test advances it. Transactions still land and are confirmed.
  network.clock.pause();
  network.tick();
  const config = worldConfig(database.url, {
    publicUrl: 'https://dues.example',
    logLevel: 'silent',
    clock: 'chain',
    clusters: { TEST: localNetwork.cluster },
  });
  const logged: string[] = [];
  const log = createLog('warn', {
    write(line) {
      logged.push(line);
      tellLogged(line);
    },
  });
  let wallMs = network.clock.nowMs();
  const ctx: AppContext = {
    config,
    db: database.db,
    chain: { TEST: chain },
    jobs: database.jobs,
    live: createLive(config, log),
    clock: { now: () => new Date(network.clock.nowMs()) },
    wallClock: { now: () => new Date(wallMs) },
    log,
  };
  const { db } = ctx;

  /** Advances all clocks, as if time had passed. */
  function travel(seconds: number): Promise<void> {
    wallMs += seconds * 1_000;
    return localNetwork.travel(seconds);
  }

  async function newMerchant(): Promise<TestMerchant> {
    const wallet = await localNetwork.newWallet();
    const { merchant } = await createMerchant(ctx, { companyName: 'Acme', walletAddress: wallet.address });
    const scope: Scope = { merchantId: merchant.id, environment: 'TEST' };
    return { wallet, merchant, scope };
  }

  async function newWallet(tokens = START_BALANCE): Promise<KeyPairSigner> {
    const wallet = await localNetwork.newWallet();
    await localNetwork.setTokens(wallet.address, tokens);
    return wallet;
  }

  /** Reads the account at 'confirmed', as the indexer receives it. */
  async function see(target: string) {
    const [account] = await readAccounts(chain, [address(target)], 'extensions');
    const slot = BigInt(network.slot('confirmed'));
    return { slot, data: account?.owner === PROGRAM ? new Uint8Array(account.data) : null };
  }

  /** Updates the mirror for one address, as the indexer does. */
  async function mirror(target: string): Promise<void> {
    const { slot, data } = await see(target);
    const row = { slot, data: Buffer.from(data ?? []), closed: data === null, writeVersion: slot };
    await db.chainAccount.upsert({
      where: { environment_address: { environment: 'TEST', address: target } },
      create: { environment: 'TEST', address: target, ...row },
      update: row,
    });
    const plan = await db.plan.findFirst({ where: { address: target } });
    if (plan) return observePlan(ctx, 'TEST', target, data && decodePlan(data));
    return observeSubscription(ctx, 'TEST', address(target), data && decodeSubscription(data), slot);
  }

  /** Creates a plan that is on chain and active. */
  async function publishPlan(
    { wallet, scope }: TestMerchant,
    input: Partial<CreatePlanInput> = {},
  ): Promise<Plan> {
    const terms = { planId: 'pro', name: 'Pro', amount: PRICE, intervalSeconds: DAY, ...input };
    const { plan, transaction } = await createPlan(ctx, scope, terms);
    await sign(wallet, transaction);
    await mirror(plan.address);
    return getPlan(ctx, scope, plan.planId);
  }

  async function openSession({ scope }: TestMerchant, plan: Plan, input: Partial<CheckoutRequest> = {}) {
    const request = { planId: plan.planId, customerEmail: 'ada@example.com', ...input };
    return (await createCheckoutSession(ctx, scope, request)).sessionId;
  }

  /** Requests, signs and sends the transactions, as an app does before it completes a checkout. */
  async function approve(sessionId: string, plan: Plan, wallet: KeyPairSigner) {
    const { transactions } = await transactionsToSign(ctx, sessionId, { userWallet: wallet.address });
    let signature: Signature | undefined;
    for (const transaction of transactions) signature = await sign(wallet, transaction);
    if (!signature) throw new Error('Nothing to sign');
    const pda = await subscriptionAddress(address(plan.address), wallet.address);
    return { subscriptionPda: pda, userWallet: wallet.address, signature };
  }

  /** Subscribes with a transaction that the wallet built, without the memo of a checkout. */
  async function approveUnmarked(merchant: TestMerchant, plan: Plan, wallet: KeyPairSigner) {
    const { transactions } = await subscriptionToSign(chain, {
      subscriber: wallet.address,
      merchant: merchant.wallet.address,
      chainPlanId: plan.chainPlanId,
      mint: address(plan.mint),
      tokenProgram: address(plan.tokenProgram),
      amount: plan.maxAmount,
      periodSeconds: plan.periodSeconds,
      planCreatedAt: plan.chainCreatedAt ?? 0n,
    });
    const signature = await sign(wallet, transactions[0] ?? '');
    const pda = await subscriptionAddress(address(plan.address), wallet.address);
    return { subscriptionPda: pda, userWallet: wallet.address, signature };
  }

  /** Runs a whole checkout, and returns the subscription. */
  async function subscribe(merchant: TestMerchant, plan: Plan, wallet: KeyPairSigner, input = {}) {
    const sessionId = await openSession(merchant, plan, input);
    const approved = await approve(sessionId, plan, wallet);
    await completeCheckout(ctx, sessionId, approved);
    const session = await db.checkoutSession.findUniqueOrThrow({ where: { id: sessionId } });
    return db.subscription.findUniqueOrThrow({ where: { id: session.subscriptionId ?? '' } });
  }

  const partiesOf = (wallet: KeyPairSigner, plan: Plan) => ({
    subscriber: wallet.address,
    plan: address(plan.address),
    mint: address(plan.mint),
  });
  const onChain = {
    cancel: async (wallet: KeyPairSigner, plan: Plan) =>
      sign(wallet, await cancelTransaction(chain, partiesOf(wallet, plan))),
    resume: async (wallet: KeyPairSigner, plan: Plan) =>
      sign(wallet, await resumeTransaction(chain, partiesOf(wallet, plan))),
    /** Closes a cancelled subscription that has ended. Its rent returns to a sponsor that paid it. */
    close: async (wallet: KeyPairSigner, plan: Plan, sponsor?: string) => {
      const planPda = address(plan.address);
      const subscriptionPda = await subscriptionAddress(planPda, wallet.address);
      const accounts = { authority: wallet, planPda, subscriptionPda };
      const receiver = sponsor === undefined ? {} : { receiver: address(sponsor) };
      return act(wallet, getRevokeSubscriptionOverlayInstruction({ ...accounts, ...receiver }));
    },
    closeAuthority: async (wallet: KeyPairSigner, plan: Plan) =>
      act(
        wallet,
        await getCloseSubscriptionAuthorityOverlayInstructionAsync({
          user: wallet,
          tokenMint: address(plan.mint),
        }),
      ),
  };

  async function tokenAccount(wallet: KeyPairSigner, plan: Plan): Promise<Address> {
    return tokenAccountAddress(wallet.address, address(plan.mint), address(plan.tokenProgram));
  }

  async function readTokenAccount(wallet: KeyPairSigner, plan: Plan) {
    const [account] = await readAccounts(chain, [await tokenAccount(wallet, plan)], 'extensions');
    if (!account) throw new Error('No token account');
    return decodeTokenAccount(account.data);
  }

  return {
    ctx,
    db,
    chain,
    network,
    geyserUrl: localNetwork.localnet.geyserUrl,
    logged,
    cheat,
    travel,
    /** Advances the clock of billing and of the chain, but not that of the machine. */
    travelOnChain: localNetwork.travel,
    setTokens: localNetwork.setTokens,
    newMint: localNetwork.newMint,
    fund: localNetwork.fund,
    writeAccount: localNetwork.writeAccount,
    newMerchant,
    newWallet,
    sign,
    act,
    see,
    mirror,
    publishPlan,
    openSession,
    approve,
    approveUnmarked,
    subscribe,
    onChain,
    /** Removes the wallet's approval, as any app may. */
    revoke: async (wallet: KeyPairSigner, plan: Plan) =>
      act(wallet, getRevokeInstruction({ source: await tokenAccount(wallet, plan), owner: wallet })),
    /** Removes the wallet's token account with its tokens. */
    closeTokens: async (wallet: KeyPairSigner, plan: Plan) =>
      cheat('surfnet_setAccount', [await tokenAccount(wallet, plan), { lamports: 0 }]),
    /** Reads the delegate of the wallet's token account. */
    delegateOf: async (wallet: KeyPairSigner, plan: Plan) => (await readTokenAccount(wallet, plan)).delegate,
    /** Reads how many tokens of the plan the wallet has. */
    tokensOf: async (wallet: KeyPairSigner, plan: Plan) => (await readTokenAccount(wallet, plan)).amount,
    /** Reads the types of a subscription's events, in order. */
    eventsOf: async (subscriptionId: string): Promise<string[]> => {
      const events = await db.event.findMany({ where: { subscriptionId }, orderBy: { sequence: 'asc' } });
      return events.map(({ type }) => type);
    },
    /** Reads the reasons of a subscription's transitions, oldest first. */
    historyOf: async (subscriptionId: string): Promise<string[]> => {
      const rows = await db.subscriptionTransition.findMany({
        where: { subscriptionId },
        orderBy: [{ at: 'asc' }, { id: 'asc' }],
      });
      return rows.map(({ reason }) => reason);
    },
    close: async () => {
      await ctx.live.close();
      await localNetwork.close();
      await database.giveBack();
    },
  };
}

/** Returns the code and param of a use case's error. */
export async function refusal(call: Promise<unknown>): Promise<{ code: string; param: string | undefined }> {
  const error = await call.then(
    () => new Error('The call was not refused'),
    (cause: unknown) => cause,
  );
  if (!(error instanceof BillingError)) throw error;
  return { code: error.code, param: error.param };
}

export const invalid = (param: string) => ({ code: 'invalid_request', param });
