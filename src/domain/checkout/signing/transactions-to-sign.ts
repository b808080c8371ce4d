import { type Address, address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { subscriptionAddress } from '../../../chain/accounts/addresses.ts';
import { readWalletAccounts, type WalletAccounts } from '../../../chain/accounts/wallet-accounts.ts';
import { FEW_ATTEMPTS } from '../../../chain/rpc/as-of.ts';
import { approvalOf } from '../../../chain/transactions/approval.ts';
import {
  subscribeTransaction,
  type TransactionsToSign,
} from '../../../chain/transactions/checkout-transactions.ts';
import { returnTransaction } from '../../../chain/transactions/return-transaction.ts';
import { type Refusal, TransactionRefused } from '../../../chain/transactions/transaction-refused.ts';
import { BillingError, invalidRequest } from '../../../errors.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { replaceNodeBehind } from '../../chain-state/mirror/replace-node-behind.ts';
import { APPROVAL_REFUSALS } from '../../chain-state/wallet-state/approval-refusals.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import { validAddress } from '../../kernel/input/valid-text.ts';
import { refuseUsedUp, reserveDiscount } from '../discount/reserve-discount.ts';
import { sessionMemo } from '../proof/session-memo.ts';
import { hasOtherTerms } from '../proof/verify-subscription.ts';
import { atFirstPrice } from '../session/first-price.ts';
import type { SessionRecord } from '../session/get-checkout-session.ts';
import { rememberWallet } from '../session/remember-wallet.ts';
import { requireOpenSession } from '../session/require-open-session.ts';
import { balanceOf, type WalletBalance } from '../session/wallet-balance.ts';
import { NeedsPrice, sponsorCheckout } from '../sponsoring/sponsor-checkout.ts';
import { findMissingFunds, type LacksFunds } from './missing-funds.ts';
import { type PaymentsAhead, paymentsAhead } from './payments-ahead.ts';
import { readWalletEligibility, type WalletEligibility } from './wallet-eligibility.ts';

export interface CheckoutTransactions extends TransactionsToSign, PaymentsAhead {
  /** The subscription's address, whether or not it exists yet. */
  readonly subscriptionPda: Address;
  readonly balance: WalletBalance;
  /** Set if the balance does not cover the payment that is due now. */
  readonly lacks: LacksFunds | undefined;
}

/**
 * Creates the transactions with which the customer's wallet subscribes, or reactivates a
 * subscription that has ended in dues and still exists on chain
 * (docs/decisions/0006-reactivation.md). The session stores the wallet, so that it can be completed
 * even if the app stops. `network` is the network address of the caller.
 *
 * @throws BillingError not_found, session_expired, plan_inactive, or invalid_request; param
 *   `sessionId` or `userWallet`; or `code`, if the wallet does not get the discount of the session
 */
export async function transactionsToSign(
  ctx: AppContext,
  sessionId: string,
  input: { readonly userWallet: string; readonly network?: string },
): Promise<CheckoutTransactions> {
  const session = await requireOpenSession(ctx, sessionId);
  const wallet = validAddress('userWallet', input.userWallet);
  await refuseUsedUp(ctx, session);
  const refuse = (cause: unknown) => {
    throw refused(ctx, cause);
  };
  const accounts = await readAccountsOf(ctx, session, wallet).catch(refuse);
  const balance = balanceOf(wallet, accounts, session.plan);
  const caller = { balance, network: input.network };
  const asking = { wallet, accounts, caller };
  const unsigned = await unsignedFor(ctx, atFirstPrice(session), asking).catch(refuse);
  const lacks = await findMissingFunds(ctx, session, balance, unsigned);
  const isOpen = await rememberWallet(ctx, session.id, wallet);
  // The session has ended meanwhile: throws the reason.
  if (!isOpen) await requireOpenSession(ctx, sessionId);
  await ctx.live.publish('checkout-session.updated', { sessionId: session.id });
  const subscriptionPda = await subscriptionAddress(address(session.plan.address), wallet);
  return { ...unsigned, balance, lacks, subscriptionPda };
}

/** Reads what the chain has of the wallet, at least at the known slot. @throws NodeBehind */
async function readAccountsOf(
  ctx: AppContext,
  { environment, plan }: SessionRecord,
  subscriber: Address,
): Promise<WalletAccounts> {
  const chain = await upToDate(ctx, chainOf(ctx, environment), FEW_ATTEMPTS);
  return readWalletAccounts(chain, { ...assetOf(plan), subscriber, plan: address(plan.address) });
}

const assetOf = ({ mint, tokenProgram }: SessionRecord['plan']) => ({
  mint: address(mint),
  tokenProgram: address(tokenProgram),
});

/** A wallet that asks for transactions, what the chain has of it, and who asks. */
interface Asking {
  readonly wallet: Address;
  readonly accounts: WalletAccounts;
  readonly caller: Parameters<typeof sponsorCheckout>[4];
}

/**
 * The transactions to subscribe or to reactivate, and what the wallet pays.
 *
 * @throws LacksFunds if it has too little SOL, or too few tokens to need none
 */
async function unsignedFor(
  ctx: AppContext,
  session: SessionRecord,
  asking: Asking,
): Promise<TransactionsToSign & PaymentsAhead> {
  const { plan, environment } = session;
  const { wallet, accounts, caller } = asking;
  const eligibility = await readWalletEligibility(ctx, environment, plan, accounts.subscription);
  if (eligibility.kind === 'subscribed') throw new TransactionRefused('already_subscribed');
  const ahead = await paymentsAhead(ctx, plan, wallet, eligibility);
  // Before anything is created at the reduced price: a wallet that comes too late is told so.
  await reserveDiscount(ctx, session, wallet);
  const unsigned = await createUnsigned(ctx, session, eligibility, asking).catch(async (cause) => {
    const needed = fundsNeeded(cause, plan.amount, ahead);
    if (!needed) throw cause;
    // The page shows how to send funds to the wallet, which may then sign.
    await rememberWallet(ctx, session.id, wallet);
    throw await findMissingFunds(ctx, session, caller.balance, needed);
  });
  return { ...unsigned, ...ahead };
}

/** What a wallet must have, if that is why no transaction was created. */
function fundsNeeded(
  cause: unknown,
  price: bigint,
  { dueNow }: PaymentsAhead,
): Parameters<typeof findMissingFunds>[3] | undefined {
  // Also for a trial, in which nothing is due now, a sponsored wallet must have the price.
  if (cause instanceof NeedsPrice) return { dueNow: price };
  return lacksSol(cause) ? { dueNow, sol: { needed: cause.lamportsNeeded, cause } } : undefined;
}

async function createUnsigned(
  ctx: AppContext,
  session: SessionRecord,
  eligibility: Exclude<WalletEligibility, { readonly kind: 'subscribed' }>,
  { wallet: subscriber, accounts, caller }: Asking,
): Promise<TransactionsToSign> {
  const { id, plan, environment, merchant } = session;
  const chain = chainOf(ctx, environment);
  const asset = { ...assetOf(plan), subscriber };
  const approval = await approvalOf(asset, accounts);
  if (eligibility.kind === 'idle') {
    if (hasOtherTerms(plan, eligibility.account)) throw new TransactionRefused('already_subscribed');
    const memo = sessionMemo(id, eligibility.after);
    return returnTransaction(chain, eligibility.account, approval, { mint: asset.mint, memo });
  }
  const terms = {
    ...asset,
    merchant: address(merchant.walletAddress),
    chainPlanId: plan.chainPlanId,
    amount: plan.maxAmount,
    periodSeconds: plan.periodSeconds,
    planCreatedAt: plan.chainCreatedAt ?? 0n,
    memo: sessionMemo(id),
  };
  const endedAccount = eligibility.kind === 'over' ? eligibility.account : undefined;
  return subscribeTransaction(chain, terms, approval, endedAccount).catch(async (error: unknown) => {
    // A wallet that subscribed before has an account whose rent belongs to its payer.
    const sponsored =
      lacksSol(error) && !endedAccount && (await sponsorCheckout(ctx, session, terms, approval, caller));
    if (!sponsored) throw error;
    return sponsored;
  });
}

function lacksSol(error: unknown): error is TransactionRefused {
  return error instanceof TransactionRefused && error.refusal === 'insufficient_sol';
}

const REFUSALS: Readonly<Partial<Record<Refusal, string>>> = {
  already_subscribed: 'The wallet is already subscribed to this plan.',
  authority_closed:
    "The approval of the wallet's subscription to this plan was closed. Cancel that subscription, and subscribe again after its period.",
  ...APPROVAL_REFUSALS,
};

function refused({ log }: AppContext, error: unknown): unknown {
  if (!(error instanceof TransactionRefused)) return replaceNodeBehind(error, 'userWallet');
  if (error.refusal === 'plan_not_available') {
    return new BillingError('plan_inactive', 'The plan is no longer active.', undefined, { cause: error });
  }
  const message = REFUSALS[error.refusal];
  if (!message) log.warn({ err: error }, 'subscription refused by the cluster for an unknown reason');
  return invalidRequest('userWallet', message ?? 'The network would refuse the subscription of this wallet.');
}
