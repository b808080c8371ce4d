import type { SubscriptionAccount } from '../../../chain/accounts/accounts.ts';
import { dateOf } from '../../../chain/chain-time.ts';
import type { BookedSubscription } from '../book/book.ts';
import { COLLECTING, isCancelledOnChain } from '../book/status.ts';

/** The change required by the on-chain state. */
export type ObservedChange =
  /** Cancelled on chain, with access until then. */
  | { readonly kind: 'end'; readonly accessUntil: Date }
  /** Was already cancelled on chain, and the end has changed. */
  | { readonly kind: 'move_end'; readonly accessUntil: Date }
  | { readonly kind: 'resume' }
  | { readonly kind: 'nothing' };

/** What decides whether a cancelled subscription had paid time. */
type Cancelled = Pick<
  BookedSubscription,
  'status' | 'accessUntil' | 'failureCount' | 'cancelledAt' | 'nextPaymentAt'
>;

/**
 * Whether a cancelled subscription had no paid time left when it was cancelled: its payment had failed, or was
 * due and not collected yet, or it was in a pause without access.
 */
export function hadNothingPaid(subscription: Cancelled): boolean {
  const { status, accessUntil, failureCount, cancelledAt, nextPaymentAt } = subscription;
  if (status !== 'CANCELLED' || cancelledAt === null) return false;
  const hasEndedThen = accessUntil?.getTime() === cancelledAt.getTime();
  return failureCount > 0 || nextPaymentAt <= cancelledAt || hasEndedThen;
}

/**
 * The change required for a subscription whose account exists. `lastReason` is the reason of its
 * status. The end on chain, which is that of a period, gives no access to who has not paid.
 */
export function observedChange(
  subscription: Cancelled,
  lastReason: string | undefined,
  account: Pick<SubscriptionAccount, 'expiresAt'>,
): ObservedChange {
  const { status, accessUntil } = subscription;
  const cancelledOnChain = status === 'CANCELLED' && isCancelledOnChain(lastReason);
  if (account.expiresAt === 0n) return { kind: cancelledOnChain ? 'resume' : 'nothing' };
  const end = dateOf(account.expiresAt);
  if (COLLECTING.includes(status)) return { kind: 'end', accessUntil: end };
  // It was cancelled at the end of the period and later at once, or it was resumed and cancelled
  // without being observed.
  const moved = cancelledOnChain && !hadNothingPaid(subscription) && accessUntil?.getTime() !== end.getTime();
  return moved ? { kind: 'move_end', accessUntil: end } : { kind: 'nothing' };
}
