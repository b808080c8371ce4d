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

/**
 * The change required for a subscription whose account exists. `lastReason` is the reason of its
 * status.
 */
export function observedChange(
  { status, accessUntil }: Pick<BookedSubscription, 'status' | 'accessUntil'>,
  lastReason: string | undefined,
  account: Pick<SubscriptionAccount, 'expiresAt'>,
): ObservedChange {
  const cancelledOnChain = status === 'CANCELLED' && isCancelledOnChain(lastReason);
  if (account.expiresAt === 0n) return { kind: cancelledOnChain ? 'resume' : 'nothing' };
  const end = dateOf(account.expiresAt);
  if (COLLECTING.includes(status)) return { kind: 'end', accessUntil: end };
  // It was cancelled at the end of the period and later at once, or it was resumed and cancelled
  // without being observed.
  const moved = cancelledOnChain && accessUntil?.getTime() !== end.getTime();
  return moved ? { kind: 'move_end', accessUntil: end } : { kind: 'nothing' };
}
