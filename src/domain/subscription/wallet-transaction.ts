import { address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { decodeSubscription } from '../../chain/accounts.ts';
import { PROGRAM } from '../../chain/addresses.ts';
import { readApproval, repairApprovalTransaction } from '../../chain/approval.ts';
import { cancelTransaction, resumeTransaction } from '../../chain/cancel-transactions.ts';
import type { Chain } from '../../chain/chain.ts';
import { readAccounts } from '../../chain/read-accounts.ts';
import { type Refusal, TransactionRefused } from '../../chain/transaction-refused.ts';
import { invalidRequest, notFound } from '../../errors.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { isStorable } from '../merchant/valid-text.ts';
import { type BillableSubscription, billable } from '../payment/billable.ts';
import { lastReason } from './last-reason.ts';
import { COLLECTING } from './status.ts';

/**
 * `cancel`: at the end of the running period. `resume`: takes that back before it takes effect. `repair_approval`: renews an
 * approval that was revoked, or that another app overwrote.
 */
export const WALLET_ACTIONS = ['cancel', 'resume', 'repair_approval'] as const;
export type WalletAction = (typeof WALLET_ACTIONS)[number];

/**
 * What the wallet that pays a subscription signs to change it: unsigned, in base64. Needs no permission, for nobody else can
 * sign it, and all that it tells is on chain.
 *
 * @throws BillingError not_found, param `subscriptionId`; or invalid_request, param `action`, where it would change nothing
 */
export async function walletTransaction(
  ctx: AppContext,
  subscriptionId: string,
  action: WalletAction,
): Promise<string> {
  const subscription = isStorable(subscriptionId)
    ? await ctx.db.subscription.findFirst({
        where: { address: subscriptionId },
        orderBy: { chainCreatedAt: 'desc' },
        ...billable,
      })
    : null;
  if (!subscription) throw notFound('subscription', 'subscriptionId');
  if (action === 'resume' && (await isOver(ctx, subscription))) {
    throw invalidRequest('action', 'The subscription is over: come back to it through a new checkout.');
  }
  const chain = chainOf(ctx, subscription.environment);
  return build(chain, subscription, action).catch((cause) => {
    const message = cause instanceof TransactionRefused ? REFUSALS[cause.refusal] : undefined;
    throw message ? invalidRequest('action', message) : cause;
  });
}

async function build(
  chain: Chain,
  { address: subscription, walletAddress, plan }: BillableSubscription,
  action: WalletAction,
): Promise<string> {
  const subscriber = address(walletAddress);
  const parties = { subscriber, plan: address(plan.address), mint: address(plan.mint) };
  if (action === 'cancel') return cancelTransaction(chain, parties);
  if (action === 'resume') return resumeTransaction(chain, parties);
  const asset = { subscriber, mint: parties.mint, tokenProgram: address(plan.tokenProgram) };
  const [[account], approval] = await Promise.all([
    readAccounts(chain, [address(subscription)]),
    readApproval(chain, asset),
  ]);
  if (account?.owner !== PROGRAM) throw new TransactionRefused('not_subscribed');
  if (decodeSubscription(account.data).initId !== approval.account?.initId) {
    throw new TransactionRefused('authority_closed');
  }
  return repairApprovalTransaction(chain, asset);
}

/** Whether the customer alone cannot bring it back: it expired, or the merchant cancelled it, or its account is closed. */
async function isOver({ db }: AppContext, { id, status }: BillableSubscription): Promise<boolean> {
  return !COLLECTING.includes(status) && (await lastReason(db, id)) !== 'cancelled_on_chain';
}

const REFUSALS: Readonly<Partial<Record<Refusal, string>>> = {
  not_subscribed: 'The subscription is not on chain any more.',
  already_cancelled: 'The subscription is cancelled on chain already.',
  not_cancelled: 'The subscription is not cancelled on chain.',
  authority_closed: 'The approval of the subscription was closed, which cannot be repaired.',
};
