import { type Address, address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { subscriptionAddress } from '../../chain/addresses.ts';
import { subscribeTransaction, type TransactionsToSign } from '../../chain/checkout-transactions.ts';
import { returnTransaction } from '../../chain/return-transaction.ts';
import { type Refusal, TransactionRefused } from '../../chain/transaction-refused.ts';
import { toDecimal } from '../../decimal-amount.ts';
import { BillingError, invalidRequest } from '../../errors.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { validAddress } from '../merchant/valid-text.ts';
import type { SessionRecord } from './get-checkout-session.ts';
import { requireOpenSession } from './open-session.ts';
import { sessionMemo } from './session-memo.ts';
import { standingOf } from './standing.ts';
import { differs } from './verify-subscription.ts';
import { balanceOf, type WalletBalance } from './wallet-balance.ts';

export interface CheckoutTransactions extends TransactionsToSign {
  /** The subscription's address: where it will be, or is already. */
  readonly subscriptionPda: Address;
  readonly balance: WalletBalance;
}

/**
 * What the customer's wallet signs to subscribe, or to come back to a subscription that is over here and on chain still
 * (docs/decisions/0006-reactivation.md). The session remembers the wallet, so that it can be completed although
 * its app dies after that.
 *
 * @throws BillingError not_found, session_expired, plan_inactive, or invalid_request; param `sessionId` or `userWallet`
 */
export async function transactionsToSign(
  ctx: AppContext,
  sessionId: string,
  input: { readonly userWallet: string },
): Promise<CheckoutTransactions> {
  const session = await requireOpenSession(ctx, sessionId);
  const wallet = validAddress('userWallet', input.userWallet);
  const { plan, environment } = session;
  const chain = chainOf(ctx, environment);
  const balance = await balanceOf(chain, wallet, plan);
  const unsigned = await unsignedFor(ctx, session, wallet).catch((cause) => {
    throw refused(ctx, cause, balance);
  });
  const { count } = await ctx.db.checkoutSession.updateMany({
    where: { id: session.id, status: 'OPEN' },
    data: { walletAddress: wallet },
  });
  if (count === 0) await requireOpenSession(ctx, sessionId); // closed meanwhile: says how
  await ctx.live.publish('checkout-session.updated', { sessionId: session.id });
  return { ...unsigned, balance, subscriptionPda: await subscriptionAddress(address(plan.address), wallet) };
}

/** To subscribe; or, where the wallet's subscription is on chain still, to take that up again. */
async function unsignedFor(
  ctx: AppContext,
  { id, plan, environment, merchant }: SessionRecord,
  subscriber: Address,
): Promise<TransactionsToSign> {
  const chain = chainOf(ctx, environment);
  const asset = { mint: address(plan.mint), tokenProgram: address(plan.tokenProgram) };
  const standing = await standingOf(ctx, environment, plan, subscriber);
  if (standing.kind === 'subscribed') throw new TransactionRefused('already_subscribed');
  if (standing.kind === 'idle') {
    if (differs(plan, standing.account)) throw new TransactionRefused('already_subscribed');
    const memo = sessionMemo(id, standing.after);
    return {
      transactions: [await returnTransaction(chain, standing.account, { ...asset, memo })],
      more: false,
    };
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
  return subscribeTransaction(chain, terms, standing.kind === 'over' ? standing.account : undefined);
}

const REFUSALS: Readonly<Partial<Record<Refusal, string>>> = {
  already_subscribed: 'The wallet is subscribed to this plan already.',
  authority_closed:
    "The approval of the wallet's subscription to this plan was closed. Cancel that subscription, and subscribe again once its period is over.",
  authority_replaced: "The wallet's approval changed just now: ask again.",
  token_account_frozen: "The wallet's token account is frozen.",
};

function refused({ log }: AppContext, error: unknown, { lamports }: WalletBalance): unknown {
  if (!(error instanceof TransactionRefused)) return error;
  if (error.refusal === 'plan_not_available') {
    return new BillingError('plan_inactive', 'The plan is not active any more.', undefined, { cause: error });
  }
  if (error.refusal === 'insufficient_sol') return tooLittleSol(error, lamports);
  const message = REFUSALS[error.refusal];
  if (!message) log.warn({ err: error }, 'the cluster refuses a subscription for a reason we do not know');
  return invalidRequest('userWallet', message ?? 'The network would refuse the subscription of this wallet.');
}

function tooLittleSol(cause: TransactionRefused, has: bigint): BillingError {
  const { lamportsNeeded: needed } = cause;
  const least = needed === undefined ? 'more' : `at least ${inSol(needed)}`;
  return new BillingError(
    'invalid_request',
    `The wallet has ${inSol(has)}. Subscribing takes ${least}: for the fee of the network, and the deposits on the accounts that it opens.`,
    'userWallet',
    { cause },
  );
}

const SOL_DECIMALS = 9;

function inSol(lamports: bigint): string {
  return `${toDecimal(lamports, SOL_DECIMALS)} SOL`;
}
