import type { SubscriptionAccount } from '../../chain/accounts.ts';
import { dateOf } from '../payment/billable.ts';
import type { BookedSubscription } from '../payment/books/book.ts';
import { COLLECTING } from './status.ts';

/** What the chain's word of one life asks for. */
export type ObservedChange =
  /** Cancelled on chain, with access until then. */
  | { readonly kind: 'end'; readonly accessUntil: Date }
  /** It was cancelled on chain before, and ends at another moment now. */
  | { readonly kind: 'move_end'; readonly accessUntil: Date }
  | { readonly kind: 'resume' }
  | { readonly kind: 'nothing' };

/** What is to be done about a life that its account is there of. `lastReason`: why it is in its status. */
export function observedChange(
  { status, accessUntil }: Pick<BookedSubscription, 'status' | 'accessUntil'>,
  lastReason: string | undefined,
  account: Pick<SubscriptionAccount, 'expiresAt'>,
): ObservedChange {
  const cancelledOnChain = status === 'CANCELLED' && lastReason === 'cancelled_on_chain';
  if (account.expiresAt === 0n) return { kind: cancelledOnChain ? 'resume' : 'nothing' };
  const end = dateOf(account.expiresAt);
  if (COLLECTING.includes(status)) return { kind: 'end', accessUntil: end };
  // Cancelled at the period's end first, and at once after that; or resumed and cancelled while nobody looked.
  const moved = cancelledOnChain && accessUntil?.getTime() !== end.getTime();
  return moved ? { kind: 'move_end', accessUntil: end } : { kind: 'nothing' };
}
