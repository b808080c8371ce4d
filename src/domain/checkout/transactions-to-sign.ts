import { type Address, address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { decodeTokenAccount } from '../../chain/accounts.ts';
import { tokenAccountAddress } from '../../chain/addresses.ts';
import type { Chain } from '../../chain/chain.ts';
import { subscribeTransaction, type TransactionsToSign } from '../../chain/checkout-transactions.ts';
import { readAccounts } from '../../chain/read-accounts.ts';
import { type Refusal, TransactionRefused } from '../../chain/transaction-refused.ts';
import { BillingError, invalidRequest, notFound } from '../../errors.ts';
import type { Plan } from '../../generated/prisma/client.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { validAddress } from '../merchant/valid-text.ts';
import { acceptsSubscribers } from '../plan/accepts-subscribers.ts';
import { isTokenProgram } from '../plan/supported-asset.ts';
import { findSession, type SessionRecord } from './get-checkout-session.ts';

/** So many payments should be at hand before somebody subscribes. */
const BUFFER_PERIODS = 3n;

export interface WalletBalance {
  /** Of the plan's asset, in base units. */
  readonly amount: bigint;
  /** Three payments of the plan: what the customer should have. */
  readonly recommended: bigint;
  readonly sufficient: boolean;
  /** What pays the network's fees. */
  readonly lamports: bigint;
}

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
  const session = await openSession(ctx, sessionId);
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
  }).catch((cause) => {
    throw refused(ctx, cause);
  });
  const { count } = await ctx.db.checkoutSession.updateMany({
    where: { id: session.id, status: 'OPEN' },
    data: { walletAddress: wallet },
  });
  if (count === 0) await openSession(ctx, sessionId); // closed meanwhile: says how
  await ctx.live.publish('checkout-session.updated', { sessionId: session.id });
  return { ...unsigned, balance };
}

async function openSession(ctx: AppContext, sessionId: string): Promise<SessionRecord> {
  const session = await findSession(ctx, sessionId);
  if (!session) throw notFound('checkout session', 'sessionId');
  if (session.status === 'EXPIRED') {
    throw new BillingError('session_expired', 'The checkout session has expired.', 'sessionId');
  }
  if (session.status === 'COMPLETED') throw invalidRequest('sessionId', 'The session is completed already.');
  if (!acceptsSubscribers(session.plan, ctx.clock.now())) {
    throw new BillingError('plan_inactive', 'The plan is not active any more.');
  }
  return session;
}

async function balanceOf(chain: Chain, wallet: Address, plan: Plan): Promise<WalletBalance> {
  const tokenProgram = address(plan.tokenProgram);
  const tokens = await tokenAccountAddress(wallet, address(plan.mint), tokenProgram);
  const [tokenAccount, walletAccount] = await readAccounts(chain, [tokens, wallet]);
  if (walletAccount && isTokenProgram(walletAccount.owner)) {
    throw invalidRequest('wallet', 'wallet is an account of the token program, which cannot subscribe.');
  }
  const amount = tokenAccount?.owner === tokenProgram ? decodeTokenAccount(tokenAccount.data).amount : 0n;
  const recommended = BUFFER_PERIODS * plan.amount;
  return { amount, recommended, sufficient: amount >= recommended, lamports: walletAccount?.lamports ?? 0n };
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
