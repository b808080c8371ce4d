import { address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { settledWithin } from '../../async/settled-within.ts';
import { authorityAddress } from '../../chain/accounts/addresses.ts';
import type { Config } from '../../config.ts';
import { receiptUrl } from '../../domain/accounts/customer/receipt-link.ts';
import { brandColors } from '../../domain/accounts/merchant/brand-colors.ts';
import { COLLECTING } from '../../domain/billing/book/status.ts';
import { openRequest } from '../../domain/billing/lifecycle/cancellation-feedback.ts';
import { linesOf } from '../../domain/billing/price/line.ts';
import { appliedDiscount } from '../../domain/billing/read/applied-discount.ts';
import { lastReason } from '../../domain/billing/read/last-reason.ts';
import { nextPaymentOf } from '../../domain/billing/read/next-payment.ts';
import type { BillableSubscription } from '../../domain/billing/schedule/billable.ts';
import { assetDecimals } from '../../domain/catalog/asset/asset-decimals.ts';
import { describeAsset } from '../../domain/catalog/asset/describe-asset.ts';
import { getCluster } from '../../domain/chain-state/cluster/get-cluster.ts';
import {
  type PaidSubscription,
  type ReadOptions,
  readWalletStates,
  type WalletState,
} from '../../domain/chain-state/wallet-state/read-wallet-states.ts';
import { isForAction, possibleActions, runwayUntil } from '../../domain/portal/portal-actions.ts';
import { duplicateState, type PortalDuplicate, paidBy } from '../../domain/portal/portal-duplicates.ts';
import type { PortalCaller } from '../../domain/portal/portal-session.ts';
import type { PortalPayment } from '../../domain/portal/portal-subscriptions.ts';
import { subscribeAgainAt } from '../../domain/portal/subscribe-again.ts';
import { BillingError } from '../../errors.ts';
import type { Customer, Environment, Merchant } from '../../generated/prisma/client.ts';
import type {
  BillingAnswer,
  ClusterAnswer,
  DiscountAnswer,
  DuplicateAnswer,
  MerchantAnswer,
  PaymentAnswer,
  SubscriptionAnswer,
  SubscriptionDetailAnswer,
  WalletAnswer,
} from './answers.ts';

/** Maximum age of a wallet's state that is shown without another read. */
const MAX_AGE_MS = 3_000;
/** Maximum wait for the cluster while a customer waits for a page. */
const MAX_READ_MS = 3_000;

export function describeMerchant({
  companyName,
  logoUrl,
  brandColor,
  supportEmail,
}: Merchant): MerchantAnswer {
  const colors = brandColor === null ? null : brandColors(brandColor);
  return { name: companyName, logoUrl, colors, supportEmail };
}

/** Describes the subscriptions of a list, with the wallets of those that are charged again. */
export async function describeSubscriptions(
  ctx: AppContext,
  subscriptions: readonly BillableSubscription[],
  reads: ClusterReads,
): Promise<SubscriptionAnswer[]> {
  const charged = subscriptions.filter((subscription) => nextPaymentOf(subscription).nextPaymentAt !== null);
  return describeAll(ctx, subscriptions, await walletsOf(ctx, charged, reads));
}

async function describeAll(
  ctx: AppContext,
  subscriptions: readonly BillableSubscription[],
  wallets: ReadonlyMap<string, WalletState>,
): Promise<SubscriptionAnswer[]> {
  const decimals = await decimalsOf(ctx, subscriptions);
  return subscriptions.map((subscription) => {
    const { environment, plan } = subscription;
    const { nextPaymentAt, accessUntil } = nextPaymentOf(subscription);
    const { symbol } = describeAsset(ctx.config.clusters[environment], plan.mint);
    const wallet = wallets.get(subscription.id);
    return {
      id: subscription.id,
      environment,
      merchant: describeMerchant(subscription.merchant),
      plan: {
        name: plan.name,
        description: plan.description,
        imageUrl: plan.imageUrl,
        amount: String(subscription.nextAmount),
        maxAmount: String(plan.maxAmount),
        intervalSeconds: plan.intervalSeconds,
        asset: { mint: plan.mint, symbol, decimals: decimals.get(keyOf(subscription)) ?? null },
      },
      status: subscription.status,
      startedAt: subscription.startedAt.toISOString(),
      nextPaymentAt: nextPaymentAt?.toISOString() ?? null,
      pause: describePause(subscription),
      accessUntil: accessUntil?.toISOString() ?? null,
      paymentCount: subscription.paymentCount,
      wallet: wallet ? describeWallet(subscription, wallet) : null,
    };
  });
}

function describePause({ status, pausedFrom, pausedUntil, pauseKeepsAccess }: BillableSubscription) {
  if (!COLLECTING.includes(status) || !pausedFrom) return null;
  const until = pausedUntil?.toISOString() ?? null;
  return { from: pausedFrom.toISOString(), until, keepsAccess: pauseKeepsAccess };
}

function describeWallet(subscription: BillableSubscription, wallet: WalletState): WalletAnswer {
  return {
    balance: wallet.balance === null ? null : String(wallet.balance),
    approval: wallet.approval,
    frozen: wallet.frozen,
    runwayPeriods: wallet.runwayPeriods,
    runwayUntil: runwayUntil(subscription, subscription.plan, wallet)?.toISOString() ?? null,
  };
}

interface ClusterReads {
  /** Called with the number of wallets before they are read. It may throw to refuse. */
  readonly beforeRead: NonNullable<ReadOptions['beforeRead']>;
  /** Whether a refused read fails the request. Otherwise the wallet is not shown. */
  readonly mayRefuse: boolean;
}

/** Describes one subscription with its wallet on chain and the customer's possible actions. */
export async function describeSubscription(
  ctx: AppContext,
  caller: PortalCaller,
  subscription: BillableSubscription,
  reads: ClusterReads,
): Promise<SubscriptionDetailAnswer> {
  const { id, environment, plan, walletAddress } = subscription;
  const [wallets, cluster, request, reason, discount, othersPause] = await Promise.all([
    walletsOf(ctx, [subscription], reads),
    clusterOf(ctx, environment, reads),
    openRequest(ctx.db, id),
    lastReason(ctx.db, id),
    describeDiscount(ctx, subscription),
    ctx.db.waiver.findFirst({
      where: { subscriptionId: id, kind: 'PAUSE', endedAt: null, actor: { not: 'CUSTOMER' } },
    }),
  ]);
  const [listed] = await describeAll(ctx, [subscription], wallets);
  if (!listed) throw new Error('the description of a subscription is missing');
  const wallet = wallets.get(id) ?? null;
  const facts = { subscription, lastReason: reason, request, wallet, isOwnPause: othersPause === null };
  const actions = possibleActions(facts, ctx.clock.now());
  return {
    ...listed,
    address: subscription.address,
    walletAddress,
    authority: subscription.authority ?? (await authorityAddress(address(walletAddress), address(plan.mint))),
    cluster,
    discount,
    maxPausedPeriods: plan.maxPausedPeriods,
    actions: actions.filter((action) => isForAction(caller.flow, action)),
    subscribeAgain: await subscribeAgainAt(ctx, caller, subscription, actions),
  };
}

/** Describes the discount of a subscription that is charged again. */
async function describeDiscount(
  { db }: Pick<AppContext, 'db'>,
  subscription: BillableSubscription,
): Promise<DiscountAnswer | null> {
  const applied = appliedDiscount(subscription);
  const isCharged =
    nextPaymentOf(subscription).nextPaymentAt !== null || describePause(subscription) !== null;
  if (!applied || !isCharged) return null;
  const { plan, priceId, discountRedemptionId } = subscription;
  const [price, redemption] = await Promise.all([
    priceId === null ? null : db.price.findUnique({ where: { id: priceId } }),
    discountRedemptionId === null
      ? null
      : db.discountRedemption.findUnique({
          where: { id: discountRedemptionId },
          select: { discount: true },
        }),
  ]);
  if (!redemption) return null;
  const { name, percentBps, amount } = redemption.discount;
  return {
    name,
    percentBps,
    amount: amount === null ? null : String(amount),
    fullAmount: String(price?.amount ?? plan.amount),
    periodsLeft: applied.periodsLeft,
    fullPriceAt: applied.fullPriceAt?.toISOString() ?? null,
  };
}

/** Describes second subscriptions of a wallet; those with nothing left to do are left out. */
export async function describeDuplicates(
  ctx: AppContext,
  duplicates: readonly PortalDuplicate[],
  reads: ClusterReads,
): Promise<DuplicateAnswer[]> {
  const described = await Promise.all(
    duplicates.map(async (duplicate): Promise<DuplicateAnswer | null> => {
      const { address, environment, walletAddress, plan } = duplicate;
      const paid = { ...(await paidBy(duplicate)), environment };
      const [wallets, cluster] = await Promise.all([
        walletsOf(ctx, [paid], reads),
        clusterOf(ctx, environment, reads),
      ]);
      const wallet = wallets.get(paid.id) ?? null;
      const state = wallet && duplicateState(wallet, ctx.clock.now());
      if (state === undefined) return null;
      return {
        address,
        environment,
        merchant: describeMerchant(plan.merchant),
        planName: plan.name,
        walletAddress,
        cluster,
        action: state?.action ?? null,
        closableAt: state?.action === null ? state.closableAt.toISOString() : null,
      };
    }),
  );
  return described.filter((answer) => answer !== null);
}

export function describePayment(config: Config, payment: PortalPayment): PaymentAnswer {
  const { id, status, amount, paidAmount, refundedAmount, dueAt, paidAt, signature, showsReceipt } = payment;
  return {
    id,
    status,
    amount: String(paidAmount || amount),
    lines: linesOf(payment).map((line) => ({ text: line.text, amount: String(line.amount) })),
    refundedAmount: String(refundedAmount),
    dueAt: dueAt.toISOString(),
    paidAt: paidAt?.toISOString() ?? null,
    signature,
    receiptUrl: showsReceipt ? receiptUrl(config, id) : null,
  };
}

export function describeBilling({ billingName, billingAddress, taxId }: Customer): BillingAnswer {
  return { billingName, billingAddress, taxId };
}

const keyOf = ({ environment, plan }: BillableSubscription) => `${environment} ${plan.mint}`;

async function decimalsOf(
  ctx: AppContext,
  subscriptions: readonly BillableSubscription[],
): Promise<ReadonlyMap<string, number | null>> {
  const found = new Map<string, number | null>();
  for (const environment of new Set(subscriptions.map((subscription) => subscription.environment))) {
    const inEnvironment = subscriptions.filter((subscription) => subscription.environment === environment);
    const mints = [...new Set(inEnvironment.map(({ plan }) => plan.mint))];
    const decimals = await assetDecimals(ctx, environment, mints);
    for (const [index, mint] of mints.entries()) found.set(`${environment} ${mint}`, decimals[index] ?? null);
  }
  return found;
}

type PaidIn = PaidSubscription & { readonly environment: Environment };

/** The wallets of subscriptions by their id, without those that cannot be read now. */
async function walletsOf(
  ctx: AppContext,
  subscriptions: readonly PaidIn[],
  reads: ClusterReads,
): Promise<ReadonlyMap<string, WalletState>> {
  const found = new Map<string, WalletState>();
  const options = { maxAgeMs: MAX_AGE_MS, beforeRead: reads.beforeRead };
  const byEnvironment = Map.groupBy(subscriptions, ({ environment }) => environment);
  const reading = [...byEnvironment].map(async ([environment, group]) => {
    const states = await ifReadable(ctx, environment, reads, () =>
      readWalletStates(ctx, environment, group, options),
    );
    for (const [index, { id }] of group.entries()) {
      const state = states?.[index];
      if (state) found.set(id, state);
    }
  });
  await Promise.all(reading);
  return found;
}

async function clusterOf(
  ctx: AppContext,
  environment: Environment,
  reads: ClusterReads,
): Promise<ClusterAnswer | null> {
  return ifReadable(ctx, environment, reads, async () => {
    const { chain, explorerUrl } = await getCluster(ctx, environment);
    return { chain, explorerUrl };
  });
}

/**
 * Returns null while the cluster cannot be read, or if this service no longer has the environment.
 * The page then works without it: a customer can cancel during an outage.
 */
async function ifReadable<T>(
  { config, log }: Pick<AppContext, 'config' | 'log'>,
  environment: Environment,
  { mayRefuse }: ClusterReads,
  read: () => Promise<T>,
): Promise<T | null> {
  if (!config.clusters[environment]) return null;
  try {
    const reading = read();
    if (await settledWithin([reading], MAX_READ_MS)) return await reading;
    log.warn({ environment }, 'cluster does not respond: portal shown without it');
  } catch (err) {
    if (err instanceof BillingError) {
      if (mayRefuse) throw err;
      return null;
    }
    log.warn({ err, environment }, 'cluster cannot be read: portal shown without it');
  }
  return null;
}
