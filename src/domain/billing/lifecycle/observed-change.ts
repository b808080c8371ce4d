import type { SubscriptionAccount } from '../../../chain/accounts/accounts.ts';
import { dateOf } from '../../../chain/chain-time.ts';
import { SECONDS_PER_HOUR } from '../../../chain/transactions/plan-transactions.ts';
import type { BookedSubscription } from '../book/book.ts';
import { COLLECTING, isCancelledOnChain } from '../book/status.ts';

/** The change required by the on-chain state. */
export type ObservedChange =
  /** Cancelled on chain: at once, at that time, or null at the end of a period. */
  | { readonly kind: 'end'; readonly endedAt: Date | null }
  /** Was already cancelled on chain, and the end has changed. */
  | { readonly kind: 'move_end'; readonly accessUntil: Date }
  | { readonly kind: 'resume' }
  | { readonly kind: 'nothing' };

/** What decides whether a cancelled subscription had paid time. */
type Cancelled = Pick<
  BookedSubscription,
  'status' | 'accessUntil' | 'failureCount' | 'cancelledAt' | 'nextPaymentAt'
>;

/** What an account says of its cancellation. */
type Ending = Pick<SubscriptionAccount, 'expiresAt' | 'periodStart' | 'periodHours'>;

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
 * status.
 *
 * A cancellation at the end of a period gives access until the end of the paid time, as one in dues. The
 * chain's period says nothing of that: it may not be paid, and after a trial it ends at another time.
 */
export function observedChange(
  subscription: Cancelled,
  lastReason: string | undefined,
  account: Ending,
): ObservedChange {
  const { status, accessUntil, nextPaymentAt } = subscription;
  const cancelledOnChain = status === 'CANCELLED' && isCancelledOnChain(lastReason);
  if (account.expiresAt === 0n) return { kind: cancelledOnChain ? 'resume' : 'nothing' };
  const endedAt = timeOfEnding(account);
  if (COLLECTING.includes(status)) return { kind: 'end', endedAt };
  if (!cancelledOnChain || !accessUntil || hadNothingPaid(subscription)) return { kind: 'nothing' };
  // It was cancelled at the end of the period, and later at once.
  if (endedAt)
    return endedAt < accessUntil ? { kind: 'move_end', accessUntil: endedAt } : { kind: 'nothing' };
  return accessUntil < nextPaymentAt ? { kind: 'move_end', accessUntil: nextPaymentAt } : { kind: 'nothing' };
}

/** When a subscription was cancelled at once; null if it was cancelled at the end of a period. */
function timeOfEnding({ expiresAt, periodStart, periodHours }: Ending): Date | null {
  const isEndOfPeriod = (expiresAt - periodStart) % (periodHours * BigInt(SECONDS_PER_HOUR)) === 0n;
  return isEndOfPeriod ? null : dateOf(expiresAt);
}
