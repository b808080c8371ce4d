import { type Address, address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { subscriptionAddress } from '../../chain/accounts/addresses.ts';
import {
  subscribeTransaction,
  type TransactionsToSign,
} from '../../chain/transactions/checkout-transactions.ts';
import { returnTransaction } from '../../chain/transactions/return-transaction.ts';
import { type Refusal, TransactionRefused } from '../../chain/transactions/transaction-refused.ts';
import { BillingError, invalidRequest } from '../../errors.ts';
import { chainOf } from '../access/chain-of.ts';
import { validAddress } from '../input/valid-text.ts';
import { replaceNodeBehind } from '../mirror/replace-node-behind.ts';
import { toDecimal } from '../money/decimal-amount.ts';
import type { SessionRecord } from './get-checkout-session.ts';
import { type PaymentsAhead, paymentsAhead } from './payments-ahead.ts';
import { rememberWallet } from './remember-wallet.ts';
import { requireOpenSession } from './require-open-session.ts';
import { sessionMemo } from './session-memo.ts';
import { sponsorCheckout } from './sponsor-checkout.ts';
import { hasOtherTerms } from './verify-subscription.ts';
import { balanceOf, type WalletBalance } from './wallet-balance.ts';
import { readWalletEligibility } from './wallet-eligibility.ts';

export interface CheckoutTransactions extends TransactionsToSign, PaymentsAhead {
  /** The subscription's address, whether or not it exists yet. */
  readonly subscriptionPda: Address;
  readonly balance: WalletBalance;
}

/**
 * Creates the transactions with which the customer's wallet subscribes, or reactivates a
 * subscription that has ended in dues and still exists on chain
 * (docs/decisions/0006-reactivation.md). The session stores the wallet, so that it can be completed
 * even if the app stops. `network` is the network address of the caller.
 *
 * @throws BillingError not_found, session_expired, plan_inactive, or invalid_request; param
 *   `sessionId` or `userWallet`
 */
export async function transactionsToSign(
  ctx: AppContext,
  sessionId: string,
  input: { readonly userWallet: string; readonly network?: string },
): Promise<CheckoutTransactions> {
  const session = await requireOpenSession(ctx, sessionId);
  const wallet = validAddress('userWallet', input.userWallet);
  const { plan, environment } = session;
  const chain = chainOf(ctx, environment);
  const balance = await balanceOf(chain, wallet, plan);
  const unsigned = await unsignedFor(ctx, session, wallet, { balance, network: input.network }).catch(
    async (cause) => {
      // The page shows how to send SOL to the wallet, which may then sign.
      if (lacksSol(cause)) await rememberWallet(ctx, session.id, wallet);
      throw refused(ctx, cause, balance);
    },
  );
  const isOpen = await rememberWallet(ctx, session.id, wallet);
  // The session has ended meanwhile: throws the reason.
  if (!isOpen) await requireOpenSession(ctx, sessionId);
  await ctx.live.publish('checkout-session.updated', { sessionId: session.id });
  return { ...unsigned, balance, subscriptionPda: await subscriptionAddress(address(plan.address), wallet) };
}

/** The transactions to subscribe or to reactivate. */
async function unsignedFor(
  ctx: AppContext,
  session: SessionRecord,
  subscriber: Address,
  caller: Parameters<typeof sponsorCheckout>[3],
): Promise<TransactionsToSign & PaymentsAhead> {
  const { id, plan, environment, merchant } = session;
  const chain = chainOf(ctx, environment);
  const asset = { mint: address(plan.mint), tokenProgram: address(plan.tokenProgram) };
  const eligibility = await readWalletEligibility(ctx, environment, plan, subscriber);
  if (eligibility.kind === 'subscribed') throw new TransactionRefused('already_subscribed');
  const ahead = await paymentsAhead(ctx, plan, subscriber, eligibility);
  if (eligibility.kind === 'idle') {
    if (hasOtherTerms(plan, eligibility.account)) throw new TransactionRefused('already_subscribed');
    const memo = sessionMemo(id, eligibility.after);
    const unsigned = await returnTransaction(chain, eligibility.account, { ...asset, memo });
    return { ...unsigned, ...ahead };
  }
  const terms = {
    ...asset,
    subscriber,
    merchant: address(merchant.walletAddress),
    chainPlanId: plan.chainPlanId,
    amount: plan.amount,
    intervalSeconds: plan.intervalSeconds,
    planCreatedAt: plan.chainCreatedAt ?? 0n,
    memo: sessionMemo(id),
  };
  const endedAccount = eligibility.kind === 'over' ? eligibility.account : undefined;
  const unsigned = await subscribeTransaction(chain, terms, endedAccount).catch(async (error: unknown) => {
    // A wallet that subscribed before has an account whose rent belongs to its payer.
    const sponsored =
      lacksSol(error) && !endedAccount && (await sponsorCheckout(ctx, session, terms, caller));
    if (!sponsored) throw error;
    return sponsored;
  });
  return { ...unsigned, ...ahead };
}

function lacksSol(error: unknown): error is TransactionRefused {
  return error instanceof TransactionRefused && error.refusal === 'insufficient_sol';
}

const REFUSALS: Readonly<Partial<Record<Refusal, string>>> = {
  already_subscribed: 'The wallet is already subscribed to this plan.',
  authority_closed:
    "The approval of the wallet's subscription to this plan was closed. Cancel that subscription, and subscribe again after its period.",
  authority_replaced: "The wallet's approval has just changed: request the transactions again.",
  token_account_frozen: "The wallet's token account is frozen.",
};

function refused({ log }: AppContext, error: unknown, { lamports }: WalletBalance): unknown {
  if (!(error instanceof TransactionRefused)) return replaceNodeBehind(error, 'userWallet');
  if (error.refusal === 'plan_not_available') {
    return new BillingError('plan_inactive', 'The plan is no longer active.', undefined, { cause: error });
  }
  if (error.refusal === 'insufficient_sol') return tooLittleSol(error, lamports);
  const message = REFUSALS[error.refusal];
  if (!message) log.warn({ err: error }, 'subscription refused by the cluster for an unknown reason');
  return invalidRequest('userWallet', message ?? 'The network would refuse the subscription of this wallet.');
}

function tooLittleSol(cause: TransactionRefused, lamports: bigint): BillingError {
  const { lamportsNeeded: needed } = cause;
  const min = needed === undefined ? 'more' : `at least ${inSol(needed)}`;
  const missing =
    needed === undefined || needed <= lamports ? '' : `: ${inSol(needed - lamports)} is missing`;
  return new BillingError(
    'invalid_request',
    `The wallet has ${inSol(lamports)}. Subscribing needs ${min} for the network fee and the deposits of new accounts${missing}.`,
    'userWallet',
    { cause },
  );
}

const SOL_DECIMALS = 9;

function inSol(lamports: bigint): string {
  return `${toDecimal(lamports, SOL_DECIMALS)} SOL`;
}
