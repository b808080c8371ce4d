import { address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { subscribeTransaction, type TransactionsToSign } from '../../chain/checkout-transactions.ts';
import { type Refusal, TransactionRefused } from '../../chain/transaction-refused.ts';
import { BillingError, invalidRequest } from '../../errors.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { validAddress } from '../merchant/valid-text.ts';
import { requireOpenSession } from './open-session.ts';
import { sessionMemo } from './session-memo.ts';
import { balanceOf, type WalletBalance } from './wallet-balance.ts';

export interface CheckoutTransactions extends TransactionsToSign {
  readonly balance: WalletBalance;
}

/**
 * What the customer's wallet signs to subscribe. The session remembers the wallet, so that it can be completed although
 * its app dies after that.
 *
 * @throws BillingError not_found, session_expired, plan_inactive, or invalid_request; param `sessionId` or `wallet`
 */
export async function transactionsToSign(
  ctx: AppContext,
  sessionId: string,
  input: { readonly wallet: string },
): Promise<CheckoutTransactions> {
  const session = await requireOpenSession(ctx, sessionId);
  const wallet = validAddress('wallet', input.wallet);
  const { plan, environment } = session;
  const chain = chainOf(ctx, environment);
  const balance = await balanceOf(chain, wallet, plan);
  const unsigned = await subscribeTransaction(chain, {
    subscriber: wallet,
    merchant: address(session.merchant.walletAddress),
    chainPlanId: plan.chainPlanId,
    mint: address(plan.mint),
    tokenProgram: address(plan.tokenProgram),
    amount: plan.amount,
    intervalSeconds: plan.intervalSeconds,
    planCreatedAt: plan.chainCreatedAt ?? 0n,
    memo: sessionMemo(session.id),
  }).catch((cause) => {
    throw refused(ctx, cause);
  });
  const { count } = await ctx.db.checkoutSession.updateMany({
    where: { id: session.id, status: 'OPEN' },
    data: { walletAddress: wallet },
  });
  if (count === 0) await requireOpenSession(ctx, sessionId); // closed meanwhile: says how
  await ctx.live.publish('checkout-session.updated', { sessionId: session.id });
  return { ...unsigned, balance };
}

const REFUSALS: Readonly<Partial<Record<Refusal, string>>> = {
  already_subscribed: 'The wallet is subscribed to this plan already.',
  authority_replaced: "The wallet's approval changed just now: ask again.",
  token_account_frozen: "The wallet's token account is frozen.",
  insufficient_sol: 'The wallet has not enough SOL for the network fee.',
};

function refused({ log }: AppContext, error: unknown): unknown {
  if (!(error instanceof TransactionRefused)) return error;
  if (error.refusal === 'plan_not_available') {
    return new BillingError('plan_inactive', 'The plan is not active any more.', undefined, { cause: error });
  }
  const message = REFUSALS[error.refusal];
  if (!message) log.warn({ err: error }, 'the cluster refuses a subscription for a reason we do not know');
  return invalidRequest('wallet', message ?? 'The network would refuse the subscription of this wallet.');
}
