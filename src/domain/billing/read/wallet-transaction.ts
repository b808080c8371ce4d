import { address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { decodeSubscription } from '../../../chain/accounts/accounts.ts';
import { PROGRAM } from '../../../chain/accounts/addresses.ts';
import { readAccounts } from '../../../chain/accounts/read-accounts.ts';
import type { Chain } from '../../../chain/chain.ts';
import { FEW_ATTEMPTS } from '../../../chain/rpc/as-of.ts';
import { readApproval, repairApprovalTransaction } from '../../../chain/transactions/approval.ts';
import {
  cancelTransaction,
  closeTransaction,
  resumeTransaction,
} from '../../../chain/transactions/cancel-transactions.ts';
import { type Refusal, TransactionRefused } from '../../../chain/transactions/transaction-refused.ts';
import { invalidRequest, notFound } from '../../../errors.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { replaceNodeBehind } from '../../chain-state/mirror/replace-node-behind.ts';
import { APPROVAL_REFUSALS } from '../../chain-state/wallet-state/approval-refusals.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import { isStorable } from '../../kernel/input/valid-text.ts';
import { COLLECTING, isCancelledOnChain } from '../book/status.ts';
import { type BillableSubscription, billable } from '../schedule/billable.ts';
import { lastReason } from './last-reason.ts';

/**
 * `cancel`: at the end of the current period. `resume`: takes a cancellation back before it takes
 * effect. `repair_approval`: renews an approval that was revoked or replaced by another app.
 * `close`: closes the account after a cancellation has taken effect, which returns its rent.
 */
export const WALLET_ACTIONS = ['cancel', 'resume', 'repair_approval', 'close'] as const;
export type WalletAction = (typeof WALLET_ACTIONS)[number];

/**
 * Creates the transaction with which the paying wallet changes a subscription: unsigned, in base64.
 * It needs no permission, because only that wallet can sign it and its content is public.
 *
 * @throws BillingError not_found, param `subscriptionId`; or invalid_request, param `action`, if it
 *   would change nothing, the network would refuse it, or all nodes are behind
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
  const target = subscription ?? (await findDuplicate(ctx, subscriptionId, action));
  if (subscription && action === 'resume' && (await isOver(ctx, subscription))) {
    throw invalidRequest('action', 'The subscription has ended: subscribe again through a new checkout.');
  }
  // At the known slot: a node that is behind may not show the customer's last change.
  const chain = await upToDate(ctx, chainOf(ctx, target.environment), FEW_ATTEMPTS);
  return build(chain, target, action).catch((cause) => {
    const message = cause instanceof TransactionRefused ? REFUSALS[cause.refusal] : undefined;
    throw message ? invalidRequest('action', message) : replaceNodeBehind(cause, 'action');
  });
}

type Target = Pick<BillableSubscription, 'address' | 'environment' | 'walletAddress' | 'plan'>;

/**
 * A subscription that is not collected, because another wallet completed its checkout session.
 *
 * @throws BillingError not_found, or invalid_request, param `action`, if it cannot end it
 */
async function findDuplicate({ db }: AppContext, address: string, action: WalletAction): Promise<Target> {
  const duplicate = isStorable(address)
    ? await db.duplicateSubscription.findFirst({ where: { address }, include: { plan: true } })
    : null;
  if (!duplicate) throw notFound('subscription', 'subscriptionId');
  if (action === 'cancel' || action === 'close') return duplicate;
  throw invalidRequest(
    'action',
    'Another wallet completed the checkout, so this subscription is not charged: action must be cancel or close.',
  );
}

async function build(
  chain: Chain,
  { address: subscription, walletAddress, plan }: Target,
  action: WalletAction,
): Promise<string> {
  const subscriber = address(walletAddress);
  const parties = { subscriber, plan: address(plan.address), mint: address(plan.mint) };
  if (action === 'cancel') return cancelTransaction(chain, parties);
  if (action === 'resume') return resumeTransaction(chain, parties);
  if (action === 'close') return closeTransaction(chain, parties);
  const asset = { subscriber, mint: parties.mint, tokenProgram: address(plan.tokenProgram) };
  const [[account], approval] = await Promise.all([
    readAccounts(chain, [address(subscription)], 'program'),
    readApproval(chain, asset),
  ]);
  if (account?.owner !== PROGRAM) throw new TransactionRefused('not_subscribed');
  if (decodeSubscription(account.data).initId !== approval.account?.initId) {
    throw new TransactionRefused('authority_closed');
  }
  return repairApprovalTransaction(chain, subscriber, approval);
}

/**
 * Whether the customer alone cannot resume it: it expired, the merchant cancelled it, or its
 * account is closed.
 */
async function isOver({ db }: AppContext, { id, status }: BillableSubscription): Promise<boolean> {
  return !COLLECTING.includes(status) && !isCancelledOnChain(await lastReason(db, id));
}

const REFUSALS: Readonly<Partial<Record<Refusal, string>>> = {
  not_subscribed: 'The subscription no longer exists on chain.',
  already_cancelled: 'The subscription is already cancelled on chain.',
  not_cancelled: 'The subscription is not cancelled on chain.',
  authority_closed: 'The approval of the subscription was closed, which cannot be repaired.',
  not_over: 'The account can be closed once the cancellation on chain has taken effect.',
  insufficient_sol: 'The wallet has no SOL for the network fee.',
  ...APPROVAL_REFUSALS,
  other: 'The network would refuse the transaction: try again later.',
};
